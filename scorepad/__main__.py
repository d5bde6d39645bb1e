"""`python -m scorepad`: the same as the command."""

from scorepad.cli import main

main()
