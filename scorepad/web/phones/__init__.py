"""Other phones of a match: keys and devices, the board, and what is shared of a match."""
