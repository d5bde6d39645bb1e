"""A hand as the contract writes it, read into values; Unusable names the key that cannot be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from .cards import WILDS, Cards, read_cards
from .game import DEALS, INCOMPLETE, Game, find_game
from .hand import Hand, Left, Meld, Out, Penalty, Side, Totals, special_hands
from .melds import reclaimed_rank
from .options import Unusable

TOP = {"variant", "preset", "options", "before", "sides", "out"}
TOP_OF = {"tagliagola": {"single"}, "hand-and-foot": {"deal"}}
SIDE = {
    "melds",
    "totals",
    "sum",
    "adjustments",
    "left",
    "penalties",
    "opening",
    "red_threes",
    "red_threes_held",
}
NUMBERS = (
    "red_threes",
    "red_threes_held",
    "black_threes_aside",
    "black_threes",
    "sevens_held",
    "aces_held",
)
SIDE_OF = {
    "cubana": {"black_threes_aside"},
    "moderna": {"black_threes", "sevens_held", "aces_held", "special"},
    "sette": {"sevens_held"},
}
SIDE_NOT_OF = {"mini": {"totals"}}


def read_hand(raw: Any) -> Hand:
    """A hand from its JSON value."""
    if not isinstance(raw, Mapping):
        raise Unusable("hand")
    game = find_game(raw.get("variant"), raw.get("preset"), raw.get("options", {}))
    _keys(raw, TOP | TOP_OF.get(game.variant, set()) | ({"deal"} if game.house.openings else set()))
    before = _before(game, raw)
    sides = raw.get("sides")
    if not isinstance(sides, Mapping):
        raise Unusable("sides")
    if (
        game.variant == "mini"
        and len(before) == 3
        and any(isinstance(one.get("left"), list) for one in sides.values())
    ):
        raise Unusable("left")
    read = {name: _side(game, name, side) for name, side in sides.items()}
    out = _out(game, raw.get("out"), read)
    hand = Hand(game, before, read, out, _single(game, raw), _deal(game, raw))
    for side in read.values():
        if side.special and (out is None or out.side != side.name or out.discard):
            raise Unusable("out")
        if _kept_beside_cards(side):
            raise Unusable("sevens_held")
        _opening_was_laid(game, side, [hand.side(name) for name in hand.team_of(side.name)])
    return hand


def _keys(raw: Any, allowed: set[str]) -> None:
    if not isinstance(raw, Mapping):
        raise Unusable("object")
    for key in raw:
        if key not in allowed:
            raise Unusable(key)


def _whole(value: Any, key: str, least: int | None = None) -> int:
    if (
        not isinstance(value, int)
        or isinstance(value, bool)
        or (least is not None and value < least)
    ):
        raise Unusable(key)
    return value


def _flag(value: Any, key: str) -> bool:
    if not isinstance(value, bool):
        raise Unusable(key)
    return value


def _text(value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise Unusable(key)
    return value


def _list(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise Unusable(key)
    return value


def _before(game: Game, raw: Mapping[str, Any]) -> dict[str, int]:
    given = raw.get("before", {"noi": 0, "loro": 0})
    if not isinstance(given, Mapping) or len(given) not in game.sides:
        raise Unusable("before")
    scores = {name: _whole(score, "before") for name, score in given.items()}
    if any(abs(score) > 9_999_999 for score in scores.values()):
        raise Unusable("before")
    return scores


def _single(game: Game, raw: Mapping[str, Any]) -> str | None:
    if game.variant != "tagliagola":
        return None
    if "single" not in raw:
        raise Unusable("single")
    return None if raw["single"] is None else _text(raw["single"], "single")


def _deal(game: Game, raw: Mapping[str, Any]) -> int:
    deal = _whole(raw.get("deal", 1), "deal", 1)
    if deal > len(game.deals or DEALS):
        raise Unusable("deal")
    return deal


def _side(game: Game, name: str, raw: Any) -> Side:
    allowed = ({*SIDE, "bonuses"} | SIDE_OF.get(game.variant, set())) - SIDE_NOT_OF.get(
        game.variant, set()
    )
    _keys(raw, allowed)
    if sum(key in raw for key in ("melds", "totals", "sum")) > 1:
        raise Unusable("totals")
    if "sum" in raw and set(raw) - {"sum", "adjustments"}:
        raise Unusable("sum")
    return Side(
        name,
        melds=tuple(_meld(one) for one in _list(raw.get("melds", []), "melds")),
        totals=_totals(game, raw["totals"]) if "totals" in raw else None,
        sum=_whole(raw["sum"], "sum") if "sum" in raw else None,
        special=_special(game, raw),
        left=_left(game, raw.get("left", "")),
        penalties=tuple(_penalty(one) for one in _list(raw.get("penalties", []), "penalties")),
        bonuses=tuple(_bonus(game, one) for one in _list(raw.get("bonuses", []), "bonuses")),
        adjustments=tuple(
            _adjustment(one) for one in _list(raw.get("adjustments", []), "adjustments")
        ),
        opening=_opening(raw),
        counts={key: _whole(raw[key], key, 0) for key in NUMBERS if key in raw},
    )


def _kept_beside_cards(side: Side) -> bool:
    """Whether the players left with too many of a rank are counted though their cards are written."""
    return bool(side.count("sevens_held") + side.count("aces_held")) and any(side.left.hands)


def _special(game: Game, raw: Mapping[str, Any]) -> str | None:
    if "special" not in raw:
        return None
    name = _text(raw["special"], "special")
    if name not in special_hands(game) or raw.get("melds") or raw.keys() & {"totals", "opening"}:
        raise Unusable("special")
    return name


def _meld(raw: Any) -> Meld:
    if isinstance(raw, str):
        return Meld(read_cards(raw))
    _keys(raw, {"cards", "concealed"})
    return Meld(
        read_cards(_text(raw.get("cards"), "cards")),
        _flag(raw.get("concealed", False), "concealed"),
    )


def _totals(game: Game, raw: Any) -> Totals:
    _keys(raw, {"canastas", "cards"} | ({"incomplete"} if game.variant in INCOMPLETE else set()))
    canastas, incomplete = raw.get("canastas", {}), raw.get("incomplete", {})
    _keys(canastas, set(game.bonus))
    _keys(incomplete, set(INCOMPLETE.get(game.variant, {})))
    return Totals(
        Counter({item: _whole(n, item, 0) for item, n in canastas.items()}),
        _whole(raw.get("cards"), "cards"),
        Counter({kind: _whole(n, kind, 0) for kind, n in incomplete.items()}),
    )


def _left(game: Game, raw: Any) -> Left:
    if isinstance(raw, str):
        return Left(hands=(read_cards(raw),))
    if isinstance(raw, list):
        if len(raw) != game.hands:
            raise Unusable("left")
        return Left(hands=tuple(read_cards(_text(one, "left")) for one in raw), listed=True)
    if game.variant == "mini":
        raise Unusable("left")
    return Left(points=_whole(raw, "left"))


def _bonus(game: Game, raw: Any) -> str:
    if raw not in game.house.bonuses:
        raise Unusable("bonuses")
    return str(raw)


def _penalty(raw: Any) -> Penalty:
    if isinstance(raw, str):
        return Penalty(raw)
    _keys(raw, {"code", "points", "reason"})
    code = _text(raw.get("code"), "code")
    if code != "house":
        _keys(raw, {"code"})
        return Penalty(code)
    if not _text(raw.get("reason"), "reason").strip():
        raise Unusable("reason")
    return Penalty(code, _whole(raw.get("points"), "points"))


def _adjustment(raw: Any) -> int:
    _keys(raw, {"points", "reason"})
    if not _text(raw.get("reason"), "reason").strip():
        raise Unusable("reason")
    return _whole(raw.get("points"), "points")


def _opening(raw: Mapping[str, Any]) -> tuple[Cards, ...] | None:
    if "opening" not in raw:
        return None
    _keys(raw["opening"], {"melds"})
    return tuple(_meld(one).cards for one in _list(raw["opening"].get("melds"), "opening"))


def _opening_was_laid(game: Game, side: Side, team: list[Side]) -> None:
    """The cards of the opening must be among those laid, a card without a suit standing for any of
    its rank.
    """
    if side.opening is None or any(one.unknown or one.totals is not None for one in team):
        return
    back = {reclaimed_rank(game, meld.cards) for one in team for meld in one.melds}
    noted = []
    for meld in side.opening:
        gone = len(meld.ranks) == 1 and meld.ranks <= back
        noted += [card for card in meld.known if not (gone and card.rank in WILDS)]
    laid = [card for one in team for meld in one.melds for card in meld.cards.known]
    ranks, laid_ranks = Counter(card.rank for card in noted), Counter(card.rank for card in laid)
    suited, laid_cards = Counter(card for card in noted if card.suit), Counter(laid)
    bare = Counter(card.rank for card in laid if not card.suit)
    if any(n > laid_ranks[rank] for rank, n in ranks.items()):
        raise Unusable("opening")
    if any(n > laid_cards[card] + bare[card.rank] for card, n in suited.items()):
        raise Unusable("opening")


def _is_no_single_card(cards: Cards) -> bool:
    return len(cards) + cards.unknown != 1


def _out(game: Game, raw: Any, sides: Mapping[str, Side]) -> Out | None:
    if raw is None:
        return None
    _keys(raw, {"side", "concealed", "player", "discard"})
    name = _text(raw.get("side"), "side")
    discard = raw.get("discard")
    player = None if raw.get("player") is None else _whole(raw["player"], "player", 0)
    left = sides[name].left if name in sides else Left()
    if player is not None and player >= (len(left.hands) if left.listed else game.hands):
        raise Unusable("player")
    if player and game.variant == "mini" and not left.listed:
        raise Unusable("player")
    if left.listed and player is None and len(left.hands) == 1:
        player = 0
    if isinstance(discard, str) and _is_no_single_card(read_cards(discard)):
        raise Unusable("discard")
    return Out(
        name,
        _flag(raw.get("concealed", False), "concealed"),
        player,
        "discard" in raw,
        None if discard is None else read_cards(_text(discard, "discard")),
    )
