"""The form of a hand: entering it, correcting a past one, and counting it by the other side."""
