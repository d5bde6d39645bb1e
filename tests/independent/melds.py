"""What a meld is, which canasta it makes, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable

from .cards import BLACK, JOKER, NATURALS, Cards
from .game import Game


def is_wild_meld(game: Game, meld: Cards) -> bool:
    """Nothing but wild cards (a red three aside), in a variant that lets them be melded by
    themselves.
    """
    return game.wild_melds and 0 < len(meld.wilds) == len(meld) - len(meld.reds)


def is_sequence(game: Game, meld: Cards) -> bool:
    """In samba and bolivia every meld with naturals of different ranks is judged as a sequence."""
    return game.sequences and len(meld.ranks) > 1


def faults(game: Game, meld: Cards, *, went_out: bool) -> set[str]:
    """The problem codes of one meld; with an unknown token in it, those that hold whatever it was."""
    found = _length(game, meld) | _blacks(game, meld, went_out=went_out)
    if meld.unknown:
        found.add("card-unknown")
    if meld.reds:
        found.add("meld-red-three")
    return found | (_sequence(game, meld) if is_sequence(game, meld) else _group(game, meld))


def _length(game: Game, meld: Cards) -> set[str]:
    fewest, longest = 3, game.longest
    if is_wild_meld(game, meld):
        fewest, longest = 5 if game.variant == "mini" else 3, game.longest_wild_meld
    elif is_sequence(game, meld):
        longest = 11
    if longest is not None and len(meld) > longest:
        return {"meld-too-long"}
    return {"meld-too-short"} if len(meld) < fewest and not meld.unknown else set()


def _blacks(game: Game, meld: Cards, *, went_out: bool) -> set[str]:
    if not meld.blacks:
        return set()
    # Beside other ranks they are no meld, whoever goes out.
    is_no_meld_anyway = game.black_melds and meld.ranks != {BLACK}
    found = set() if went_out or is_no_meld_anyway else {"black-threes-not-out"}
    if not game.black_melds or (
        meld.ranks == {BLACK} and not meld.unknown and _bad_black_meld(game, meld)
    ):
        found.add("meld-kind-not-allowed")
    return found


def _bad_black_meld(game: Game, meld: Cards) -> bool:
    too_few = len(meld.blacks) < game.fewest_blacks and game.sequences
    sullied = game.option("black-threes-out") == "pure" and bool(meld.wilds)
    grown = len(meld) >= game.size and not game.option("black-three-canasta")
    return too_few or sullied or grown


def _group(game: Game, meld: Cards) -> set[str]:
    found = {"meld-mixed-ranks"} if len(meld.ranks) > 1 else set()
    if is_wild_meld(game, meld):
        return found
    naturals = len(meld.naturals) + len(meld.blacks)
    if naturals < game.fewest_naturals and not meld.unknown:
        found.add("meld-too-few-naturals")
    if _too_many_wilds(game, meld, naturals):
        found.add("meld-too-many-wilds")
    return found


def _too_many_wilds(game: Game, meld: Cards, naturals: int) -> bool:
    wilds = len(meld.wilds)
    if not wilds:
        return False
    if wilds > game.max_wilds or (game.variant == "moderna" and meld.ranks == {"7"}):
        return True
    return not meld.unknown and not game.ratio_holds(naturals, wilds)


def _sequence(game: Game, meld: Cards) -> set[str]:
    dirty = bool(game.option("dirty-escalera"))
    found: set[str] = set()
    if dirty and len(meld.wilds) > game.max_wilds:
        found.add("meld-too-many-wilds")
    if _is_broken(meld, dirty=dirty):
        found.add("meld-sequence-broken")
    return found


def _is_broken(meld: Cards, *, dirty: bool) -> bool:
    suits = {card.suit for card in meld.naturals}
    ranks = [card.rank for card in meld.naturals]
    if meld.blacks or None in suits or len(suits) > 1 or len(set(ranks)) < len(ranks):
        return True
    if meld.wilds and not dirty:
        return True
    return not meld.unknown and _gaps(ranks) > len(meld.wilds)


def _gaps(ranks: Iterable[str]) -> int:
    places = sorted(NATURALS.index(rank) for rank in ranks)
    return places[-1] - places[0] + 1 - len(places)


def reclaimed_rank(game: Game, meld: Cards) -> str | None:
    """The rank of a natural canasta, whose wild cards may have been reclaimed; None for others."""
    if game.option("wilds-reclaimed") != "natural-canasta" or meld.wilds or len(meld.ranks) != 1:
        return None
    return next(iter(meld.ranks)) if len(meld.naturals) >= game.size else None


def canasta(game: Game, meld: Cards) -> str | None:
    """The item a complete canasta scores as, None for any other meld.

    One that is too long, or holds a red three besides, still is one; of mixed ranks or with too
    many wilds it is none.
    """
    size = len(meld) - len(meld.reds)
    if size < game.size or meld.unknown:
        return None
    if is_wild_meld(game, meld):
        return wild_item(game, sum(card.rank == JOKER for card in meld.known), size)
    if is_sequence(game, meld):
        return None if _sequence(game, meld) else "dirty-samba" if meld.wilds else "samba"
    if _group(game, meld):
        return None
    return _group_item(game, meld)


def _group_item(game: Game, meld: Cards) -> str | None:
    (rank,) = meld.ranks or {BLACK}
    if rank == BLACK:
        return "mixed-canasta" if game.option("black-three-canasta") and meld.wilds else None
    natural, mixed = group_items(game, rank)
    if game.house.long and not meld.wilds and len(meld.naturals) >= game.house.long:
        return "long-canasta"
    return mixed if meld.wilds else natural


def group_items(game: Game, rank: str) -> tuple[str, str]:
    """The items of a natural and of a mixed canasta of this rank."""
    if rank == "7" and "sevens-canasta" in game.bonus:
        return "sevens-canasta", "sevens-canasta"
    if rank == "7" and "all-sevens" in game.bonus:
        return "all-sevens", "mixed-canasta"
    if rank == "A" and game.variant in ("canastone", "moderna"):
        mixed = "mixed-aces-canasta" if game.variant == "canastone" else "mixed-canasta"
        return "natural-aces-canasta", mixed
    return "natural-canasta", "mixed-canasta"


def wild_item(game: Game, jokers: int, cards: int) -> str:
    """The item of a canasta of so many wild cards, so many of them jokers."""
    if game.variant == "bolivia":
        return "bolivia"
    if jokers == 0 and "twos-canasta" in game.bonus:
        return "twos-canasta"
    if jokers == 4 and "four-jokers-canasta" in game.bonus:
        return "four-jokers-canasta"
    if jokers == 6 and cards == 7 and "six-jokers-canasta" in game.bonus:
        return "six-jokers-canasta"
    return "wild-canasta"


def incomplete(game: Game, meld: Cards) -> str | None:
    """The kind of an incomplete meld that the variant minds: `aces`, `sevens` or `wilds`."""
    if len(meld) - len(meld.reds) >= game.size:
        return None
    if is_wild_meld(game, meld):
        return "wilds"
    if meld.ranks == {"7"}:
        return "sevens"
    return "aces" if meld.ranks == {"A"} and not meld.wilds else None
