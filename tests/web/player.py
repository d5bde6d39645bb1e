"""A phone at a match, on all the pages that lead from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from werkzeug.test import TestResponse

from scorepad.matches.hands import SentHand
from scorepad.matches.keys import Keys
from scorepad.matches.transaction import Saved
from scorepad.web.cookies import WRITE_COOKIE
from tests.web.client import Client, Page
from tests.web.playing import hand_typed, keys_of, new_request, play
from tests.web.scorer import Scorer, let_in

OUT_OF_TURN = "draw-out-of-turn"
"""The code of a penalty of 100 points."""
NOTE_PENALTY = "Segna la penalità"
REPLACE_PLAYER = "Cambia il giocatore"


class Player(Scorer):
    """Whoever holds this phone."""

    def page(self, path: str = "", status: int = 200) -> Page:
        """A page of the match."""
        return self.client.get(f"{self.match}/{path}".rstrip("/"), status)

    def answer(self, path: str, **more: Any) -> TestResponse:
        """What is answered to a request for a page or file of the match, whatever it is."""
        return self.client.raw.get(f"{self.match}/{path}", **more)

    def play(self, *hands: Mapping[str, Any]) -> Page:
        return play(self.pad, self.client, self.match, *hands)

    def correct_to(self, number: int, played: Mapping[str, Any], note: str = "") -> Page:
        """The page of the match after the hand of this number was replaced by this one."""
        state = self.state
        version_shown = state.hands[number - 1].versions[-1].sequence
        sent = SentHand(hand=hand_typed(played, len(state.sides)), reason=note)
        saved = self.pad.correct(
            new_request(), self.match_id, self.device, number, version_shown, sent
        )
        assert isinstance(saved, Saved), saved
        return self.page()

    def submit(self, page: Page | str, button: str, status: int = 200, **typed: str) -> Page:
        """Type into the fields of a page and press a button: of a page that is shown, or of the page
        of the match at a path.
        """
        if isinstance(page, str):
            page = self.page(page)
        return self.client.submit(page, button, status, **typed)

    def undo(self, button: str) -> Page:
        return self.submit("", button)

    def note(self, side: str, code: str = OUT_OF_TURN, **more: str) -> Page:
        """Note a penalty for the hand being played."""
        return self.submit("penalita", NOTE_PENALTY, side=side, code=code, **more)

    def end(self, how: str, **more: str) -> Page:
        return self.submit("fine", "Finisce così", how=how, **more)

    def replace(self, seat: str, name: str) -> Page:
        return self.submit("giocatore", REPLACE_PLAYER, seat=seat, name=name)

    @property
    def noted(self) -> list[tuple[int, str]]:
        """The penalties noted for the hand being played."""
        return [(each.side, each.code) for each in self.state.noted_penalties]

    @property
    def keys(self) -> Keys:
        """The keys of the match that the browser of this phone carries."""
        return keys_of(self.client, self.match)

    def let_in(self, other: Client, cookie: str = WRITE_COOKIE) -> Client:
        """Let another phone into the match, by the key of this cookie."""
        return let_in(self.client, self.match, other, cookie)


Begin = Callable[..., Player]
"""Begins a match of a variant, with what is typed at its start."""
