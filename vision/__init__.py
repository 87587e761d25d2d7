"""Pictures to cards: learn a deck, find and read cards, watch a table over time. Imports `engine.cards` only."""
