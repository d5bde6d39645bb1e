"""Questions as players put them to the search of the rulebook, and the places that answer them."""

from __future__ import annotations

from tests.web.tables import read_tables

_TABLES = read_tables("rulebook_questions")


def _questions() -> list[tuple[str, str, str, list[str]]]:
    found = []
    for language in ("it", "en"):
        for asked, places in _TABLES[language].items():
            found.append((asked, "", language, places.split()))
    for asked, game, places in _TABLES["within_a_game"]:
        found.append((asked, game, "it", places.split()))
    return found


QUESTIONS = _questions()
"""What is asked, in which game if it is asked there, in which language, and the places that answer
it.
"""
FIGURES: list[list[str]] = _TABLES["figures"]
"""What is asked, in which language, and what is read among the first three answers."""
