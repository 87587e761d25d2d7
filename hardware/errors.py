"""Errors of `hardware`: each says what was expected and what came."""


class HardwareError(RuntimeError):
    """A device cannot be opened or used."""


class MissingLibraryError(HardwareError):
    """A device library is not installed; the message says how to get it."""


class CameraError(HardwareError):
    """A camera, video or folder of pictures gives no frames."""


class CameraBusyError(CameraError):
    """The camera is there but another program holds it."""


class DisplayError(HardwareError):
    """A display does not answer."""
