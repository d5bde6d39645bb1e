"""A hand played out: the cards not yet dealt, and how they end up before the players."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .cards import BLACK, JOKER, NATURALS, SUITS, TWO, Card, Cards
from .counting import Raw, count_at_the_table
from .game import CLASSIC_LADDER, LADDERS, Game
from .score import PENALTIES

NAMES = (
    ("noi", "loro"),
    ("Anna", "Bruno"),
    ("a/b", "c~d"),
    ("Anna", "Bruno", "Carla"),
    ("1", "2", "3"),
)


def told(rng: random.Random, cards: list[Card], *, suits: bool) -> str:
    """Cards as text, equal ones together or one by one, with their suits or without."""
    tokens = []
    shown = [_token(rng, card, suits=suits) for card in cards]
    for token, n in Counter(shown).items():
        tokens += [f"{n}x{token}"] if n > 1 and rng.random() < 0.8 else [token] * n
    if rng.random() < 0.3:
        rng.shuffle(tokens)
    return " ".join(tokens)


def _token(rng: random.Random, card: Card, *, suits: bool) -> str:
    if card.rank == JOKER:
        return rng.choice(["JK", "JK", "jk"])
    if card.rank[0] == "3":
        return f"3{card.suit}" if suits else card.rank
    rank = "T" if card.rank == "10" and rng.random() < 0.1 else card.rank
    return rank + (card.suit or "") * suits


@dataclass
class Table:
    """The cards not yet dealt out, and how they end up before the players."""

    rng: random.Random
    game: Game
    stock: list[Card] = field(default_factory=list)
    reds: int = 0

    def __post_init__(self) -> None:
        ranks = (*NATURALS, TWO)
        for _ in range(self.game.decks):
            self.stock += [Card(rank, suit) for rank in ranks for suit in SUITS]
            self.stock += [Card(JOKER), Card(JOKER), Card(BLACK, "s"), Card(BLACK, "c")]
        self.rng.shuffle(self.stock)
        self.reds = 2 * self.game.decks

    @property
    def variant(self) -> str:
        return self.game.variant

    def choice(self, values: Sequence[Any]) -> Any:
        return self.rng.choice(values)

    def chance(self, odds: float) -> bool:
        return self.rng.random() < odds

    def take(self, rank: str, number: int, suit: str | None = None) -> list[Card]:
        """Up to so many cards of a rank."""
        found = [card for card in self.stock if card.rank == rank and suit in (None, card.suit)][
            :number
        ]
        for card in found:
            self.stock.remove(card)
        return found

    def play(self) -> Raw:
        """Everything of a hand but variant, preset and options."""
        names = self.choice([names for names in NAMES if len(names) in self.game.sides])
        raw: Raw = {}
        out = self.choice([*names, *names, *names, None])
        if names != ("noi", "loro") or self.chance(0.85):
            raw["before"] = {name: self.score() for name in names}
        pairs = self.variant != "mini" or (len(names) == 2 and self.chance(0.6))
        raw["sides"] = {name: self.side(out=name == out, pairs=pairs) for name in names}
        raw["out"] = None if out is None else self.out(raw["sides"][out], out)
        if self.variant == "tagliagola":
            raw["single"] = self.choice([*names, None])
        if self.game.deals and self.chance(0.9):
            raw["deal"] = self.rng.randint(1, len(self.game.deals))
        count_at_the_table(self.rng, self.game, raw)
        return raw

    def score(self) -> int:
        """A match score, often at a border of the opening table or of the target."""
        if self.variant == "mini":
            return self.rng.randint(-10, 31)
        borders = [max(score, 0) for score, _ in LADDERS.get(self.variant, CLASSIC_LADDER)]
        if self.chance(0.5):
            return self.choice([0, 5 * self.rng.randint(-20, 300)])
        near = [*borders, *borders, self.game.target or 3000]
        step = self.choice([-5, 0, 5, -100, 250, -1000])
        return self.choice([0, 0, self.choice(near) + step, 5 * self.rng.randint(-300, 1600)])

    def side(self, *, out: bool, pairs: bool) -> Raw:
        """One side: its melds, threes, cards left, penalties."""
        suits = self.chance(0.3)
        raw: Raw = {"melds": self.melds(out=out, suits=suits)}
        raw["left"] = self.left(out=out, suits=suits, pairs=pairs)
        if isinstance(raw["left"], int):
            raw |= {
                f"{kind}_held": self.choice([0, 1, 2])
                for kind in self.kept_kinds()
                if self.chance(0.4)
            }
        if self.variant != "mini":
            raw |= self.threes(out=out)
            raw["penalties"] = self.penalties()
        if self.game.house.bonuses and self.chance(0.5):
            raw["bonuses"] = self.rng.choices(
                list(self.game.house.bonuses), k=self.rng.randint(0, 2)
            )
        if self.chance(0.05):
            points = self.rng.randint(-40, 40) * (1 if self.variant == "mini" else 5)
            raw["adjustments"] = [{"points": points, "reason": "agreed"}]
        return raw

    def melds(self, *, out: bool, suits: bool) -> list[Any]:
        """Melds of one side: canastas first if it goes out, then others."""
        if not out and self.chance(0.12):
            return []
        wanted = self.needed() if out else []
        if not (out and self.variant == "moderna" and self.chance(0.6)):
            wanted += [self.kind() for _ in range(self.rng.randint(0 if out else 1, 6))]
        if out and self.game.black_melds and self.chance(0.15):
            wanted.append("black")
        laid = [cards for cards in (self.meld(kind) for kind in wanted) if cards]
        if not self.chance(0.15):
            laid = self.without_repeats(laid)
        if self.chance(0.3):
            self.rng.shuffle(laid)
        return [self.meld_told(cards, suits=suits) for cards in laid]

    def without_repeats(self, laid: list[list[Card]]) -> list[list[Card]]:
        """The melds with later ones of a rank already laid put back."""
        kept, seen = [], set()
        for cards in laid:
            ranks = tuple(sorted(Cards(tuple(cards)).ranks))
            if len(ranks) == 1 and ranks in seen:
                self.stock += cards
            else:
                seen.add(ranks)
                kept.append(cards)
        return kept

    def meld_told(self, cards: list[Card], *, suits: bool) -> Any:
        text = told(self.rng, cards, suits=suits or len(Cards(tuple(cards)).ranks) > 1)
        if self.chance(0.5 if self.game.option("concealed-canasta") else 0.1):
            return {"cards": text, "concealed": self.chance(0.8)}
        return text

    def needed(self) -> list[str]:
        """Kinds of canastas that going out asks for, mostly."""
        if self.chance(0.08):
            return []
        if self.variant == "hand-and-foot":
            wild_book = ["wild7"] if self.game.wild_melds else []
            return ["natural"] * 2 + ["mixed"] * 2 + wild_book
        if self.variant == "moderna":
            return [self.canasta_kind() for _ in range(self.choice([2, 3]))]
        if self.variant in ("canastone", "mini"):
            return ["natural", "mixed", *["natural"] * self.choice([0, 0, 3, 4])]
        if self.variant == "bolivia":
            first = "samba"
            if self.game.option("dirty-escalera"):
                first = self.choice(["samba", "dirty7"])
            return [first, self.choice(["samba", "natural", "wild7"])]
        return [self.canasta_kind() for _ in range(self.choice([1, 2, 2, 3]))]

    def canasta_kind(self) -> str:
        kinds = ["natural", "mixed", "mixed", "mixed"]
        kinds += ["samba"] * 3 if self.game.sequences else []
        kinds += ["dirty7"] if self.game.option("dirty-escalera") else []
        kinds += ["wild7"] if self.game.wild_melds else []
        return self.choice(kinds)

    def kind(self) -> str:
        if self.chance(0.2):
            return self.canasta_kind()
        kinds = ["short"] * 5 + ["soiled"] * 4
        kinds += ["sequence"] * 4 if self.game.sequences else []
        kinds += ["dirty"] * 2 if self.game.option("dirty-escalera") else []
        kinds += ["wild"] * (self.game.wild_melds and self.variant != "mini" and self.chance(0.5))
        return self.choice(kinds)

    def meld(self, kind: str) -> list[Card]:
        """One meld of a kind, or nothing where the stock does not give it."""
        if kind in ("samba", "dirty7", "sequence", "dirty"):
            return self.sequence(kind)
        if kind in ("wild", "wild7"):
            return self.wild_meld(self.size_of_wild_meld(kind))
        rank = BLACK if kind == "black" else self.choice([*NATURALS, "7", "A", "A"])
        size, wilds = self.measures(kind)
        if self.variant == "moderna" and (rank == "7" or (rank == "A" and self.chance(0.7))):
            size, wilds = self.game.size if self.chance(0.6) else size, 0
        while wilds and not self.game.ratio_holds(size - wilds, wilds) and self.chance(0.95):
            wilds -= 1
        return self.checked(self.take(rank, size - wilds) + self.wilds(wilds), size)

    def size_of_wild_meld(self, kind: str) -> int:
        if self.variant == "mini":
            return 5
        return 7 if kind == "wild7" else self.rng.randint(3, 6)

    def measures(self, kind: str) -> tuple[int, int]:
        """Cards and wilds of a meld of one rank."""
        full = self.game.size
        may_be_longer = self.game.longest is None or self.game.option("eighth-card")
        longer = self.choice([0, 0, 1, 2]) if may_be_longer else 0
        if kind == "natural":
            if self.game.house.long and self.chance(0.4):
                return self.game.house.long, 0
            return full + longer, 0
        if kind == "mixed":
            return full + longer, self.rng.randint(1, self.game.max_wilds)
        size = self.rng.randint(3, full - 1)
        if kind == "short":
            return size, 0
        return size, min(size - self.game.fewest_naturals, self.rng.randint(0, self.game.max_wilds))

    def wilds(self, number: int) -> list[Card]:
        return [
            card for _ in range(number) for card in self.take(self.choice([TWO, TWO, JOKER]), 1)
        ]

    def wild_meld(self, size: int) -> list[Card]:
        jokers = self.choice([0, 0, 1, 3, 4, 5, 6, 6, 6])
        cards = self.take(JOKER, min(jokers, size))
        return self.checked(cards + self.take(TWO, size - len(cards)), size)

    def checked(self, cards: list[Card], size: int) -> list[Card]:
        """The cards if there are enough of them, otherwise none, and they go back."""
        if len(cards) >= size:
            return cards
        self.stock += cards
        return []

    def sequence(self, kind: str) -> list[Card]:
        """Cards of one suit in a row; the dirty ones with wilds in place of some."""
        full = kind in ("samba", "dirty7")
        size = self.choice([7, 7, 7, 8, 9, 11]) if full else self.rng.randint(3, 6)
        start, suit = self.rng.randint(0, len(NATURALS) - size), self.choice(SUITS)
        row = [card for rank in NATURALS[start : start + size] for card in self.take(rank, 1, suit)]
        if kind.startswith("dirty"):
            for card in self.rng.sample(row, min(len(row), self.rng.randint(1, 2))):
                row.remove(card)
                self.stock.append(card)
        gaps = size - len(row)
        if gaps <= 2 and kind.startswith("dirty"):
            row += self.wilds(gaps)
        return self.checked(row, size)

    def draw(self, number: int) -> list[Card]:
        drawn, self.stock = self.stock[:number], self.stock[number:]
        return drawn

    def left(self, *, out: bool, suits: bool, pairs: bool) -> Any:
        """Cards in hand at the end: a list, a string or points."""
        single = self.game.hands == 1 or not pairs
        if single and out:
            return self.choice(
                ["", "", [""] if self.game.hands == 1 else "", 0 if self.game.has_cards else ""]
            )
        form = self.choice(["list", "string", "points"])
        hands = 1 if single else 2 if self.variant == "mini" else self.game.hands
        drawn = [self.draw(self.choice([0, 1, 3, 5, 9, 12])) for _ in range(hands)]
        if self.kept_kinds() and self.chance(0.3):
            drawn[-1] += self.take(self.choice(["7", "A"]), self.rng.randint(2, 5))
        texts = [told(self.rng, cards, suits=suits) for cards in drawn]
        if form == "points" and self.game.has_cards:
            return 5 * self.rng.randint(0, 30)
        if (form == "list" and not (single and self.variant == "mini")) or (
            pairs and self.variant == "mini"
        ):
            return ["", *texts[1:]] if out else texts
        return " ".join(texts[1:] if out else texts)

    def kept_kinds(self) -> list[str]:
        """Of which cards a player may be left with too many."""
        return ["sevens", "aces"][: {"sette": 1, "moderna": 2}.get(self.variant, 0)]

    def threes(self, *, out: bool) -> Raw:
        """Red threes exposed and held, black threes of the variants that count them."""
        raw: Raw = {
            "red_threes": self.some_reds(0.85 if out and self.variant == "messicana" else 0.6)
        }
        if self.chance(0.1) and not (out and self.game.hands == 1):
            raw["red_threes_held"] = self.some_reds(0.7)
        if self.variant == "cubana":
            raw["black_threes_aside"] = len(self.take(BLACK, self.choice([0, 0, 1, 2, 4])))
        if self.variant == "moderna":
            raw["black_threes"] = len(self.take(BLACK, self.choice([0, 1, 2, 3, 4])))
        return raw

    def some_reds(self, odds: float) -> int:
        number = 0
        while self.reds and self.chance(odds):
            self.reds -= 1
            number += 1
        return number

    def penalties(self) -> list[Any]:
        given: list[Any] = []
        while self.chance(0.12):
            code = self.choice(list(PENALTIES))
            house = {"code": "house", "points": 25, "reason": "late"}
            given.append(self.choice([code, code, {"code": code}, house]))
        return given

    def out(self, side: Raw, name: str) -> Raw:
        """Going out, with its last discard or without."""
        raw: Raw = {"side": name}
        if self.chance(0.7):
            raw["concealed"] = self.chance(0.25)
        if isinstance(side["left"], list) and self.chance(0.9):
            raw["player"] = 0
        if self.chance(0.85):
            plain = [card for card in self.stock if card.rank in NATURALS]
            none = 0.05 if self.variant in ("canastone", "moderna") else 0.4
            raw["discard"] = None if not plain or self.chance(none) else plain[0].rank
            self.stock = [card for card in self.stock if not plain or card is not plain[0]]
        return raw
