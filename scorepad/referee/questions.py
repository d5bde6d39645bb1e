"""Questions for the referee.

A question is a dataclass; each of its fields has a type (`referee.field_types`) and says what it
means. The JSON form, its documentation, the inputs of the pages and the words of a kept ruling come
from these. Cards are readings, so that a token that is not a card is answered instead of refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from dataclasses import Field as DataclassField
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple, get_args, get_type_hints

from pydantic import ConfigDict, Field

from scorepad.referee import field_types as types
from scorepad.referee.field_types import FieldType, Permission
from scorepad.rules.cards import NOTHING, Reading

_SCORE = "The side's match score before this hand, on which the opening minimum depends."
_DEAL = "The number of the hand in the match, where the opening minimum depends on it."
_OPENED = "Whether the side has opened."
_Foot = Annotated[
    bool | None,
    types.FLAG,
    Field(
        description="Whether the player plays from the foot, the second hand; omitted, it is not "
        "known."
    ),
]
_Opponents = Annotated[
    tuple[Reading, ...] | None,
    types.MELDS,
    Field(
        description="The other side's melds, as far as the answer depends on them; "
        "omitted, nothing is known of them."
    ),
]
"""The field of the other side's melds, which several questions have."""
_OTHER_MELDS = (
    "The side's {other}melds, as far as the answer depends on them; "
    "omitted, nothing is known of them."
)


class BaseQuestion:
    """The base of all questions; `kind` is the name of the kind in JSON."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", defer_build=True)
    __slots__ = ()
    kind: ClassVar[str]


@dataclass(frozen=True, slots=True)
class MeldQuestion(BaseQuestion):
    """May these cards be laid: as a new meld, or on the meld `on`? `going_out`: the player goes out
    with them.

    `table`: the side's other melds, as far as the answer depends on them; None if not given.
    """

    kind: ClassVar[str] = "meld"
    cards: Annotated[Reading, types.CARDS, Field(description="The cards to be laid.")]
    on: Annotated[
        Reading | None,
        types.MELD,
        Field(description="The meld of the side on which they are laid; null for a new meld."),
    ] = None
    going_out: Annotated[
        bool, types.FLAG, Field(description="Whether the player goes out with them.")
    ] = False
    table: Annotated[
        tuple[Reading, ...] | None,
        types.MELDS,
        Field(description=_OTHER_MELDS.format(other="other ")),
    ] = None
    opponents: _Opponents = None


@dataclass(frozen=True, slots=True)
class OpeningQuestion(BaseQuestion):
    """Do these melds open, at this match score? With `hand` instead of `melds`: can this hand open,
    and how best?

    `top_card` is the pile's top card, used in one of the melds and not part of the hand;
    `concealed_out`: the player goes out in the same turn.
    """

    kind: ClassVar[str] = "opening"
    score: Annotated[int, types.SCORE, Field(description=_SCORE)] = 0
    melds: Annotated[
        tuple[Reading, ...],
        types.MELDS,
        Field(description="The melds of the opening. Not beside `hand`."),
    ] = ()
    top_card: Annotated[
        Reading | None,
        types.CARD_OR_NONE,
        Field(
            description="The pile's top card, if it is used: one of the melds holds it, "
            "and `hand` does not."
        ),
    ] = None
    concealed_out: Annotated[
        bool, types.FLAG, Field(description="Whether the player goes out in the same turn.")
    ] = False
    deal: Annotated[int, types.DEAL, Field(description=_DEAL)] = 1
    hand: Annotated[
        Reading | None,
        types.HELD_CARDS,
        Field(
            description="All the cards that the player holds, in place of `melds`: "
            "whether they can open, and how best."
        ),
    ] = None
    opponents: _Opponents = None


@dataclass(frozen=True, slots=True)
class PileQuestion(BaseQuestion):
    """Can I take the pile? With `hand`: can this hand take it, and how?

    `laid` (in JSON `with`) are the melds that the player lays from the hand to take it. The hand
    excludes the top card.
    """

    kind: ClassVar[str] = "pile"
    top: Annotated[Reading, types.CARD, Field(description="The pile's top card.")]
    frozen: Annotated[
        bool,
        types.FLAG,
        Field(description="Whether the pile is frozen; ignored where it always or never is."),
    ] = False
    opened: Annotated[bool, types.FLAG, Field(description=_OPENED)] = True
    score: Annotated[int, types.SCORE, Field(description=_SCORE)] = 0
    table: Annotated[
        tuple[Reading, ...], types.MELDS, Field(description="The side's melds on the table.")
    ] = ()
    laid: Annotated[
        tuple[Reading, ...],
        types.MELDS,
        Field(
            alias="with",
            description="The melds laid to take the pile; each holds the top card too if it is "
            "melded. Not beside `hand`.",
        ),
    ] = ()
    deal: Annotated[int, types.DEAL, Field(description=_DEAL)] = 1
    hand: Annotated[
        Reading | None,
        types.HELD_CARDS,
        Field(
            description="All the cards that the player holds, without the top card, in place of "
            "`with`: whether they can take the pile, and how."
        ),
    ] = None
    opponents: _Opponents = None


@dataclass(frozen=True, slots=True)
class OutQuestion(BaseQuestion):
    """May the player go out, with these melds of the side on the table at the end? With `hand`: can
    this hand, and how?

    `discard` is the last card discarded, null (`NOTHING`) for none; None if the key was omitted:
    then it is still to be chosen. `score` and `deal` are for a concealed going out, which opens in
    the same turn: without them (None) the answer holds only if the opening minimum is reached, and
    says so. With a hand, `table` are the melds before it is laid: without any the player opens in
    the same turn. The hand includes a discard that is noted.
    """

    kind: ClassVar[str] = "out"
    table: Annotated[
        tuple[Reading, ...],
        types.MELDS,
        Field(description="The side's melds at the end; beside `hand`, those before it is laid."),
    ]
    discard: Annotated[
        Reading | None,
        types.DISCARD_OR_NOTHING,
        Field(
            description="The last card discarded, null for none. Omitted, it is still to be chosen."
        ),
    ] = None
    concealed: Annotated[
        bool, types.FLAG, Field(description="Whether the going out is concealed.")
    ] = False
    red_threes: Annotated[
        int, types.COUNT, Field(description="The red threes that the side has exposed.")
    ] = 0
    permission: Annotated[
        Permission,
        types.PERMISSION,
        Field(description="What the partner answered: `not-asked`, `granted` or `refused`."),
    ] = Permission.NOT_ASKED
    score: Annotated[
        int | None,
        types.SCORE,
        Field(description="The side's match score; only with `concealed` or `hand`."),
    ] = None
    deal: Annotated[
        int | None,
        types.DEAL,
        Field(description="The number of the hand in the match; only with `concealed` or `hand`."),
    ] = None
    hand: Annotated[
        Reading | None,
        types.HELD_CARDS,
        Field(
            description="All the cards that the player holds, with the discard: "
            "whether they can go out, and how; or the special hand that they are."
        ),
    ] = None
    opponents: _Opponents = None
    foot: _Foot = None
    partner_foot: Annotated[
        bool | None,
        types.FLAG,
        Field(
            description="Whether the partner has played at least part of a turn from the foot; "
            "omitted, it is not known."
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class UpcardQuestion(BaseQuestion):
    """What happens with the first cards turned up, in their order?"""

    kind: ClassVar[str] = "upcard"
    cards: Annotated[
        tuple[Reading, ...],
        types.UPCARDS,
        Field(description="The first cards turned up, in their order."),
    ]


@dataclass(frozen=True, slots=True)
class DiscardQuestion(BaseQuestion):
    """May this card be discarded, and what is its effect?

    `table` are the side's melds, which determine `wild_meld_incomplete`. What is None was not
    given, and a reason says so if the answer depends on it.
    """

    kind: ClassVar[str] = "discard"
    card: Annotated[
        Reading,
        types.DISCARD,
        Field(description="The card discarded; as many threes of one colour as may go at once."),
    ]
    first_round: Annotated[
        bool, types.FLAG, Field(description="Whether it is the player's first turn.")
    ] = False
    last: Annotated[
        bool, types.FLAG, Field(description="Whether it is the player's last card.")
    ] = False
    wild_meld_incomplete: Annotated[
        bool | None,
        types.FLAG,
        Field(
            description="Whether the side has an incomplete meld of wild cards; omitted, `table` "
            "says."
        ),
    ] = None
    table: Annotated[
        tuple[Reading, ...] | None, types.MELDS, Field(description=_OTHER_MELDS.format(other=""))
    ] = None
    opponents: _Opponents = None
    pile_empty: Annotated[
        bool | None,
        types.FLAG,
        Field(description="Whether the pile is empty; omitted, it is not known."),
    ] = None
    only_wilds: Annotated[
        bool, types.FLAG, Field(description="Whether the player holds nothing but wild cards.")
    ] = False
    foot: _Foot = None


@dataclass(frozen=True, slots=True)
class RedThreesQuestion(BaseQuestion):
    """How many points are these red threes, for a side with these canastas (by item)?"""

    kind: ClassVar[str] = "red-threes"
    count: Annotated[int, types.COUNT, Field(description="The number of red threes exposed.")]
    opened: Annotated[bool, types.FLAG, Field(description=_OPENED)] = True
    canastas: Annotated[
        Mapping[str, int],
        types.CANASTAS,
        Field(description="The number of the side's canastas of each kind, by item."),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PenaltyQuestion(BaseQuestion):
    """What does this irregularity cost?"""

    kind: ClassVar[str] = "penalty"
    code: Annotated[
        str,
        types.CODE,
        Field(description="The code of the irregularity, as `scorepad variants ID` lists them."),
    ]


@dataclass(frozen=True, slots=True)
class EndOfStockQuestion(BaseQuestion):
    """What happens when the stock is used up? `last_card` is the card drawn last."""

    kind: ClassVar[str] = "end-of-stock"
    last_card: Annotated[
        Reading,
        types.CARD_OR_NOTHING,
        Field(description="The card drawn last; null if it is not given."),
    ] = NOTHING
    top: Annotated[
        Reading,
        types.CARD_OR_NOTHING,
        Field(description="The pile's top card; null if it is not given."),
    ] = NOTHING
    table: Annotated[
        tuple[Reading, ...], types.MELDS, Field(description="The melds of the player's side.")
    ] = ()
    pile_has_wild: Annotated[
        bool, types.FLAG, Field(description="Whether there is a wild card in the pile.")
    ] = False
    pile_has_red_three: Annotated[
        bool, types.FLAG, Field(description="Whether there is a red three in the pile.")
    ] = False


AnyQuestion = (
    MeldQuestion
    | OpeningQuestion
    | PileQuestion
    | OutQuestion
    | UpcardQuestion
    | DiscardQuestion
    | RedThreesQuestion
    | PenaltyQuestion
    | EndOfStockQuestion
)
QUESTIONS: Mapping[str, type[AnyQuestion]] = {each.kind: each for each in get_args(AnyQuestion)}
"""The classes of questions, by kind."""


class QuestionField(NamedTuple):
    """A field of a question: its attribute, its key in JSON, its type, and its default.

    The default is `MISSING` if the field must be given.
    """

    attribute: str
    key: str
    type: FieldType
    default: Any


@cache
def fields_of(kind: str) -> Mapping[str, QuestionField]:
    """Describe the fields that a kind of question to the referee has, by their keys in JSON.

    They are read from the question's class, a dataclass. A question of the kind `penalty` has one
    field: `{"code": QuestionField(attribute="code", …)}`.
    """
    question_class = QUESTIONS[kind]
    annotations = get_type_hints(question_class, include_extras=True)
    fields_by_key: dict[str, QuestionField] = {}
    for dataclass_field in fields(question_class):
        annotation = annotations[dataclass_field.name]
        described = _describe_field(dataclass_field, annotation)
        fields_by_key[described.key] = described
    return fields_by_key


def _describe_field(dataclass_field: DataclassField[Any], annotation: Any) -> QuestionField:
    """Describe a field of a question from its declaration in the class.

    The declaration `top: Annotated[Reading, types.CARD, Field(description=…)]` → the attribute
    `top` with the key `top` in JSON, the type `CARD`, and no default.
    """
    # Every field is declared in that form, so that the annotation has exactly these three parts.
    _type_of_value, field_type, json_field = get_args(annotation)
    key = dataclass_field.name
    if json_field.alias:  # a key like `with` cannot be the name of an attribute in Python
        key = json_field.alias
    return QuestionField(
        attribute=dataclass_field.name,
        key=key,
        type=field_type,
        default=_find_default_of_field(dataclass_field),
    )


def _find_default_of_field(dataclass_field: DataclassField[Any]) -> Any:
    """Return the default of a field of a dataclass; `MISSING` if the field must be given."""
    if dataclass_field.default_factory is not MISSING:
        return dataclass_field.default_factory()
    return dataclass_field.default


def has_whole_hand(question: AnyQuestion) -> bool:
    """Tell whether a question gives all the cards of a player, and asks for the best way to play.

    Some kinds of question can give these cards, in the attribute `hand`. Other kinds do not have
    it.
    """
    cards_in_hand = getattr(question, "hand", None)
    return cards_in_hand is not None
