"""The rules: pure values and functions. No clock, file, thread or randomness of its own; standard library only."""
