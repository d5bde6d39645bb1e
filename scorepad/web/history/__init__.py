"""Looking back: the log of a match, and the players of all matches of the device."""
