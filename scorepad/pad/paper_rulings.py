"""What the match sheet says of the referee: the rulings kept with the match, with their reasons and sources."""

from __future__ import annotations

from collections.abc import Iterator

from scorepad.pad.kept_rulings import KeptRuling
from scorepad.pad.paper_words import PaperWords
from scorepad.pad.ruling_words import told_ruling
from scorepad.pad.values import MatchState
from scorepad.sheets import Broken
from scorepad.sheets.values import Ruled


def rulings(state: MatchState, say: PaperWords) -> Iterator[Ruled]:
    """The rulings kept with the match, in their order."""
    for kept in state.rulings:
        told = told_ruling(kept, state.rules.variant, say.words)
        side = () if kept.side is None else ((say.words.text("referee.who"), say.names[kept.side]),)
        yield Ruled(
            number=say.number(kept.number),
            ruling=told.head,
            case="; ".join(f"{label}: {say.free(text)}" for label, text in (*side, *told.case)),
            reasons=tuple(
                Broken(say.free(reason.text), say.source(reason.sources[0]) if reason.sources else "")
                for reason in told.reasons
            ),
            penalty=_penalty(kept, say),
        )


def _penalty(kept: KeptRuling, say: PaperWords) -> str:
    """Whose penalty went with it, and how many points; empty where none did."""
    if kept.penalty is None or kept.side is None:
        return ""
    points = say.words.signed(-kept.penalty.points)
    return say.words.text("referee.kept.penalty", side=say.names[kept.side], points=points)
