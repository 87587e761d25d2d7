"""Errors of `vision`: each says what was expected and what came."""


class VisionError(ValueError):
    """Something that vision was given cannot be used."""


class DeckError(VisionError):
    """A folder of faces or a stored deck is incomplete, unreadable or of another version."""


class PictureError(VisionError):
    """A picture cannot be read."""
