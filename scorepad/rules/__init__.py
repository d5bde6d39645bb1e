"""The rules of canasta: cards, variants, checks, scores and the match. Pure: no clock, no disk but its own data."""
