"""What belongs to which variant: keys and values of a hand that only some take are refused where others are played."""

from __future__ import annotations

from scorepad.rules.variants import Ruleset
from scorepad.schemas.forms import HandForm, SideForm
from scorepad.schemas.unusable import Unusable, echo, refuse_unknown

_OF_HANDS = {"single", "deal"}
_OF_SIDES = {"black_threes_aside", "black_threes", "sevens_held", "aces_held", "special"}
_OF_TOTALS = {"incomplete"}
# Keys that only some variants have: they name them among their entry fields.
_NOT_BESIDE_SPECIAL = {"melds", "totals", "sum", "opening"}


def refuse_foreign(form: HandForm, rules: Ruleset) -> None:
    """Refuse what the variant does not take, and ask for what it needs. Raises Unusable."""
    _refuse_keys(form.model_fields_set & _OF_HANDS, (), rules)
    if "deal" in form.model_fields_set:
        refuse_deal(form.deal, rules)
    if "single" in rules.entry_fields and "single" not in form.model_fields_set:
        raise Unusable("unusable.missing", "single", takes="single")
    for name, side in form.sides.items():
        _refuse_keys(side.model_fields_set & _OF_SIDES, ("sides", name), rules)
        key = f"sides/{echo(name)}"
        _refuse_counting(side, rules, key)
        _refuse_held(side, rules, key)
        if side.special is not None:
            _refuse_special(form, name, rules)


def _refuse_keys(given: set[str], place: tuple[str, ...], rules: Ruleset) -> None:
    foreign = given.difference(rules.entry_fields)
    if foreign:
        raise Unusable("unusable.other-variant", echo("/".join((*place, min(foreign)))), variant=rules.variant)


def refuse_deal(deal: int | None, rules: Ruleset) -> None:
    """Refuse the number of a hand that is none of the match's, or where no match has a number. Raises Unusable."""
    _refuse_keys({"deal"}, (), rules)
    most = rules.settings.match_deals
    if most is not None and (deal is None or not 1 <= deal <= most):
        raise Unusable("unusable.wrong", "deal", takes="deal", most=most)


def _refuse_counting(side: SideForm, rules: Ruleset, key: str) -> None:
    """Totals and points in hand where the cards themselves are needed, and incomplete melds that cost nothing here."""
    if rules.settings.counted_by == "cards":
        if side.totals is not None:
            raise Unusable("unusable.other-variant", f"{key}/totals", variant=rules.variant)
        if isinstance(side.left, int):
            raise Unusable("unusable.wrong", f"{key}/left", takes="left-cards")
    if side.totals is None:
        return
    _refuse_keys(side.totals.model_fields_set & _OF_TOTALS, (key, "totals"), rules)
    known = tuple(kind.name for kind in rules.settings.incomplete)
    refuse_unknown(side.totals.incomplete, known, f"{key}/totals/incomplete")


def _refuse_held(side: SideForm, rules: Ruleset, key: str) -> None:
    """Players counted for what their hands hold, where the cards of those hands are given."""
    for kind in rules.settings.held_together:
        if getattr(side, kind.key) and side.left and not isinstance(side.left, int):
            raise Unusable("unusable.held-in-points", f"{key}/{kind.key}")


def _refuse_special(form: HandForm, name: str, rules: Ruleset) -> None:
    """A hand that is shown: its side lays nothing, and goes out with it without a discard."""
    side, key = form.sides[name], f"sides/{echo(name)}"
    known = [special for special, _ in rules.settings.special_hands]
    if side.special not in known:
        raise Unusable("unusable.special", f"{key}/special", given=echo(side.special), known=", ".join(known))
    beside = [given for given in sorted(_NOT_BESIDE_SPECIAL & side.model_fields_set) if getattr(side, given)]
    if beside:
        raise Unusable("unusable.special-alone", f"{key}/{beside[0]}")
    elsewhere = form.out is None or (form.out.side != name and form.out.side in form.sides)
    if elsewhere or (form.out is not None and form.out.discard is not None):
        raise Unusable("unusable.special-out", "out")
