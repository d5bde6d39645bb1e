"""Other phones of a match: keys and devices, the board, and sharing."""
