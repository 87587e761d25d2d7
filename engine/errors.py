"""Errors of `engine`: each also the builtin that it resembles; the message says what was expected and what came."""


class EngineError(ValueError):
    """Something that the engine was given cannot be used."""


class InvalidPlay(EngineError):
    """A value that is none: a string that is no card, a card twice, an event of another game."""


class NotationError(InvalidPlay):
    """The text of a match cannot be read. `line` and `column` count from 1 and name the place."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


class RuleError(EngineError):
    """An unknown variant or option, or a value that the option does not know."""


class IllegalPlay(EngineError):
    """A play that the rules refuse. `code` is a refusal code of the rules (`must_take`, `wrong_sum`, ...)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
