"""A phone at a match, on all the pages that lead from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorepad.matches.access import Access
from scorepad.matches.keys import NO_KEYS
from tests.web.client import Client, Page
from tests.web.playing import correct, play
from tests.web.scorer import Scorer

OUT_OF_TURN = "draw-out-of-turn"
PENALTY = "Segna la penalità"
REPLACE = "Cambia il giocatore"


class Player(Scorer):
    """Whoever holds this phone."""

    def page(self, path: str = "") -> Page:
        return self.client.get(f"{self.match}/{path}".rstrip("/"))

    def play(self, *hands: Mapping[str, Any]) -> Page:
        return play(self.pad, self.client, self.match, *hands)

    def correct_to(self, number: int, played: Mapping[str, Any], note: str = "") -> Page:
        """A hand that was counted becomes this one."""
        return correct(self.pad, self.client, self.match, number, played, note)

    def submit(self, path: str, button: str, status: int = 200, **typed: str) -> Page:
        """Open a page of the match, type into its fields and press a button."""
        return self.client.submit(self.page(path), button, status, **typed)

    def undo(self, button: str) -> Page:
        return self.submit("", button)

    def note(self, side: str, code: str = OUT_OF_TURN, **more: str) -> Page:
        """Note a penalty for the hand being played."""
        return self.submit("penalita", PENALTY, side=side, code=code, **more)

    def end(self, how: str, **more: str) -> Page:
        return self.submit("fine", "Finisce così", how=how, **more)

    def replace(self, seat: str, name: str) -> Page:
        return self.submit("giocatore", REPLACE, seat=seat, name=name)

    @property
    def noted(self) -> list[tuple[int, str]]:
        """The penalties noted for the hand being played."""
        return [(each.side, each.code) for each in self.state.noted_penalties]

    def let_in(self, other: Client, access: Access) -> Client:
        """Let another phone into the match, by a new key."""
        key = self.pad.devices.renew_key(self.match_id, self.device, access, NO_KEYS)
        other.get(f"/e/{key.write or key.view}")
        return other


Begin = Callable[..., Player]
"""Begins a match of a variant, with what is typed at its start."""
