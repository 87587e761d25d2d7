"""One module a command of `arbitro`; each has `add_arguments(parser)` and `run(arguments) -> exit status`."""
