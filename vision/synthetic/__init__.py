"""The table in the machine: decks of our own and rendered matches. Shares no code with the eyes that it tries."""
