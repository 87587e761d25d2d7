"""Errors of `firmware`: each says what was expected and what came."""


class FirmwareError(ValueError):
    """Input, arguments, settings or stored state that cannot be used: one line, exit status 2."""


class UsageError(FirmwareError):
    """Arguments of a command that cannot be used."""


class ConfigError(FirmwareError):
    """A setting is unknown or out of its range; the message names the key."""


class StoreError(FirmwareError):
    """The state directory cannot be used: held by another process, of a newer version, full or damaged."""


class StoreBusyError(StoreError):
    """Another process holds the state directory."""


class WrongResult(FirmwareError):
    """A written match ends with another result than its plays have."""
