"""The pages of the referee as values: the questions, a step of one, the answer, the rules chosen, the rulings kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scorepad.web.cards import CardButton, Choice, SuitKey
from scorepad.web.fields import ChoiceField
from scorepad.web.forms import PadForm
from scorepad.web.frame import Page
from scorepad.web.referee.facts import Fact
from scorepad.web.rulebook.choices import Picker
from scorepad.web.rulebook.links import Place


@dataclass(frozen=True, slots=True)
class Tile:
    """A question to tap: what people ask, and where that leads."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Playing:
    """The rules that are asked under: the game, what was chosen of it, and where other ones are chosen (or empty)."""

    game: str
    chosen: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPage(Page):
    """The questions."""

    template: ClassVar[str] = "referee/start.html"
    back: str
    """The match; empty beside one."""
    playing: Playing
    tiles: tuple[Tile, ...]
    faults: tuple[Tile, ...]
    """What goes wrong at a table, each leading to its answer."""
    unasked: Place | None
    """Where the rulebook tells what none of the questions asks."""
    kept: str
    """Where the rulings kept with the match stand; empty where there are none."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something asked on a step; which of the parts it has depends on how it is asked for.

    `id` is also its name. `told` is what was understood of it. `meld_key` adds another meld (empty: one only).
    """

    id: str
    input: str
    label: str
    hint: str
    value: str
    errors: tuple[str, ...]
    choices: tuple[Choice, ...] = ()
    told: tuple[str, ...] = ()
    buttons: tuple[CardButton, ...] = ()
    suits: tuple[SuitKey, ...] = ()
    meld_key: str = ""
    below: Choice | None = None
    counts: tuple[Field, ...] = ()

    @property
    def suit(self) -> str:
        """The name of the field for the suit; empty where there is none."""
        return self.suits[0].choice.name if self.suits else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPage(Page):
    """A step of a question. Its form is sent by GET, so that what is said stands in the address."""

    template: ClassVar[str] = "referee/step.html"
    playing: Playing
    back: str
    """Where the step before is, or the questions."""
    back_text: str
    action: str
    carried: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...]
    where: str
    """Which step of how many; empty where there is one only."""
    button: str


@dataclass(frozen=True, slots=True)
class Why:
    """A reason: the sentence, its sources, and how firmly it stands; its place in the rulebook, where it has one."""

    text: str
    source: str
    standing: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong at a table: its name, what else follows, the penalty, the source, and where its answer is."""

    name: str
    remedy: str
    penalty: str
    source: str
    url: str


@dataclass(frozen=True, slots=True)
class Other:
    """Another codification or option: what it is, what it answers, what differs besides, and where that is said."""

    name: str
    word: str
    more: str
    source: str


@dataclass(frozen=True, slots=True)
class Keeping:
    """The form that keeps a ruling with the match; `whose` asks whose the penalty is, where there is one."""

    action: str
    form: PadForm
    asked: str
    hand: str
    about: str
    whose: ChoiceField | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPage(Page):
    """An answer: the word, why with its sources, the facts, remedy and penalty, and what differs elsewhere."""

    template: ClassVar[str] = "referee/answer.html"
    playing: Playing
    start: str
    change: str
    """Where the question can be changed."""
    verdict: str
    look: str
    """How the word is shown: as the verdict, or as what depends on more."""
    word: str
    why: tuple[Why, ...]
    way: tuple[str, ...]
    """The best legal way found, meld by meld; empty where no whole hand was given."""
    facts: tuple[Fact, ...]
    wrong: str
    """What was done wrong, of a question that asks about it."""
    remedy: tuple[Why, ...]
    penalty: tuple[Why, ...]
    note: str
    """Where a penalty of the table's own is noted; empty where none is, or nowhere."""
    faults: tuple[Fault, ...]
    silence: str
    """That nobody says what to do where it was done all the same; empty where somebody does, or nothing was."""
    unasked: Place | None
    """Where the rulebook tells what the question leaves out."""
    others: tuple[Other, ...]
    depends: tuple[str, ...]
    """What the answer under other rules depends on that was not asked here."""
    keeping: Keeping | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsPage(Page):
    """What goes wrong at a table: the penalties and what costs none."""

    template: ClassVar[str] = "referee/faults.html"
    playing: Playing
    start: str
    faults: tuple[Fault, ...]
    none: str
    """That the sources of this game know no penalties; empty where they do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage(Page):
    """The games, and what may be chosen in the one that is asked about."""

    template: ClassVar[str] = "referee/rules.html"
    start: str
    action: str
    game: str
    variant: str
    choices: tuple[Picker, ...]
    games: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A ruling kept with the match, told whole; `take_back` is where it is taken back (empty: by nobody here)."""

    anchor: str
    title: str
    ruling: str
    why: tuple[Why, ...]
    facts: tuple[Fact, ...]
    penalty: str
    others: tuple[Other, ...]
    when: str
    take_back: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPage(Page):
    """The rulings kept with a match, the last one first."""

    template: ClassVar[str] = "referee/kept.html"
    back: str
    start: str
    form: PadForm
    rows: tuple[KeptRow, ...]
