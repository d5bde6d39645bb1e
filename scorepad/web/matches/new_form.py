"""The form of a new match: names, dealer, place, codification and options, for one variant and so many players."""

from __future__ import annotations

from wtforms import Field, HiddenField, StringField

from scorepad.matches.projection import NewMatch
from scorepad.rules.match import Seat
from scorepad.rules.variants import Choices, Variant
from scorepad.web.frame import page_words
from scorepad.web.matches.forms import label_fields
from scorepad.web.matches.paper_form import PaperForm, paper_fields
from scorepad.web.matches.rules_form import RulesForm, one_of, rule_fields
from scorepad.web.matches.tables import default_names, is_default_name, seats_of, sizes_of


class NewMatchForm(PaperForm, RulesForm):
    """A new match of one variant, for the players that sit at the table. Made by `new_match_form`."""

    seated: Choices
    """What was chosen of the options that decide who sits at the table."""
    variant = HiddenField()
    dealer = StringField(default="0-0")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who may deal first, clockwise."""
        return seats_of(self.plays, self.seated)

    @property
    def has_names(self) -> bool:
        """Whether any name, dealer or place was typed, or is wrong."""
        typed = [name for side in self.players for name in side] + [self.place_typed]
        moved = self.dealer.data != "0-0" or not all(map(is_default_name, self.names))
        return moved or any(map(str.strip, typed)) or self.has_errors("name-", "player-", "place", "dealer")

    def new_match(self) -> NewMatch:
        """The match that this form starts."""
        side, index = self.dealer.data.split("-")
        defaults = default_names(self.side_sizes, page_words())
        names = tuple(typed if typed.strip() else usual for typed, usual in zip(self.names, defaults, strict=True))
        return NewMatch(
            variant=self.plays.id,
            preset=self.preset.data or None,
            options=self.options,
            names=names,
            players=self.players,
            dealer=(int(side), int(index)),
            place=self.place_typed,
            carried=self.carried,
            played=self.hands_played,
        )

    def validate_dealer(self, field: Field) -> None:
        """Refuse a seat that the table does not have."""
        one_of(field, tuple(f"{side}-{index}" for side, index in self.seats))

    def name_sides(self) -> None:
        """Give the sides that nobody has named the names that are usual at this table."""
        for side, name in enumerate(default_names(self.side_sizes, page_words())):
            field = self[f"name-{side}"]
            field.data = name if is_default_name(field.data or "") else field.data

    def forget_strangers(self, before: Variant) -> None:
        """Leave out what was chosen for the variant `before` and does not exist in this one, or means nothing here."""
        self.forget_strange_rules(before)
        if self.dealer.data not in {f"{side}-{index}" for side, index in self.seats}:
            self.dealer.data = "0-0"


def new_match_form(variant: Variant, seated: Choices) -> type[NewMatchForm]:
    """The form of a new match of this variant, with so many at the table."""
    sizes = sizes_of(variant, seated)
    by_hands = variant.settings["match-deals"].value
    fields = label_fields(sizes) | paper_fields(len(sizes), by_hands=isinstance(by_hands, int))
    fields |= {"seated": seated} | rule_fields(variant, variant.options.values())
    return type("NewMatchForm", (NewMatchForm,), fields)
