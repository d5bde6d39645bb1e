"""What the page shows on which a match is set up: the seats, the known players, the games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.settings_in_words import describe_variant_briefly, variant_name
from scorepad.rules.definitions import Option, Variant
from scorepad.schemas.variant_json import Difference, find_differing_rules
from scorepad.web.citations import citations_in_words
from scorepad.web.forms import Choice, ChoiceField
from scorepad.web.matches.new_match_form import EarlierSide, FormButton, NewMatchForm
from scorepad.web.rule_choices import seat_options
from scorepad.web.rule_words import say_length_of_match, say_number_of_players

_BETWEEN_NOTES = " ·\N{NO-BREAK SPACE}"


class ChoiceButton(NamedTuple):
    """A button that chooses a value, and whether it is the one chosen now."""

    value: str
    label: str
    is_chosen: bool


class SeatQuestion(NamedTuple):
    """A question that decides how many players sit at the table, with a button for each answer."""

    field: ChoiceField
    buttons: list[ChoiceButton]


class PairButton(NamedTuple):
    """A button that seats the players of an earlier side: "Nonni: Ada and Ugo"."""

    value: str
    label: str


class GameButton(NamedTuple):
    """A button that chooses another game."""

    id: str
    name: str
    players: str
    """For how many players it is: "2, 3 or 4 players"."""
    description: str
    is_chosen: bool


class ShownDifference(NamedTuple):
    """A rule that is different in the classic game."""

    name: str
    here: str
    in_classic: str
    """Its value in the classic game; empty if that does not have the rule."""
    source: str
    """Its source if that is not the usual one, and how sure it is; mostly empty."""


class NewMatchPage:
    """What the page of a new match shows besides the fields of its form."""

    def __init__(
        self, form: NewMatchForm, earlier_sides: Iterable[EarlierSide], words: Words
    ) -> None:
        """Prepare the page; `earlier_sides` are those whose players can be seated together."""
        self._form = form
        self._words = words
        self._earlier_sides = earlier_sides
        self._pressed_buttons: Collection[str] = form.pressed_buttons
        differences = [rule for rule in find_differing_rules(form.game, words) if rule.matters]
        sources = [_write_source(difference, words) for difference in differences]
        self.usual_source = _find_most_frequent(sources)
        """The source that most rules have in common which differ from the classic game."""
        self.differences = [
            self._show_difference(difference, source)
            for difference, source in zip(differences, sources, strict=True)
        ]

    # ------------------------------------------------------------------ the game

    @property
    def game(self) -> str:
        """Return the name of the game."""
        return self._words.t(f"variant.{self._form.game.id}.name")

    @property
    def summary(self) -> str:
        """Say in one line what is played: "Classica, 4 players, up to 5,000"."""
        number_of_players = sum(self._form.side_sizes)
        return self._words.t(
            "web.new.game",
            variant=self.game,
            players=self._words.t("players", count=number_of_players),
            length=say_length_of_match(self._form.game, self._words),
        )

    @property
    def speciality(self) -> str:
        """Say what is special about the game; empty for the classic game."""
        if not self.differences:
            return ""
        return self._words.t(f"variant.{self._form.game.id}.special")

    def list_games(self, variants: Iterable[Variant]) -> list[GameButton]:
        """List games that can be chosen instead, each as a button."""
        buttons = []
        for variant in variants:
            buttons.append(
                GameButton(
                    id=variant.id,
                    name=variant_name(variant, self._words),
                    players=say_number_of_players(variant, self._words),
                    description=describe_variant_briefly(variant, self._words),
                    is_chosen=variant.id == self._form.game.id,
                )
            )
        return buttons

    # ------------------------------------------------------------------ the seats

    @property
    def seat_questions(self) -> list[SeatQuestion]:
        """List the questions that decide how many players sit at the table."""
        questions = []
        for option in seat_options(self._form.game):
            field = self._form[f"option-{option.id}"]
            buttons = [_make_seat_button(option, choice, field) for choice in field.choices]
            questions.append(SeatQuestion(field, buttons))
        return questions

    def list_players(self, names: Iterable[str]) -> list[ChoiceButton]:
        """List known players as buttons; those who are seated are chosen."""
        seated = self._form.seated_players
        return [ChoiceButton(name, name, name in seated) for name in names]

    @property
    def known_pairs(self) -> list[PairButton]:
        """List the players of earlier sides who can be seated together."""
        buttons = []
        for side in self._earlier_sides:
            label = self._words.listing(side.players)
            if side.name:
                label = f"{side.name}: {label}"
            buttons.append(PairButton(side.button_value, label))
        return buttons

    @property
    def drawn_seats(self) -> str:
        """Say how the seats and the first dealer were drawn just now; empty if they were not."""
        if FormButton.DRAW not in self._pressed_buttons:
            return ""
        dealers = self._form.dealer.choices
        chosen = next(choice for choice in dealers if choice.value == self._form.dealer.data)
        return self._words.t(
            "web.new.drawn",
            order=self._words.listing([choice.label for choice in dealers]),
            dealer=chosen.label,
        )

    # ------------------------------------------------------------------ what is unfolded

    @property
    def are_names_open(self) -> bool:
        """Tell whether the names are shown: something is chosen there, or was asked to be shown."""
        if self._form.has_touched_labels:
            return True
        return self._is_any_pressed(FormButton.DRAW, FormButton.SHOW)

    @property
    def are_rules_open(self) -> bool:
        if self._form.has_own_rules:
            return True
        return self._is_any_pressed(FormButton.SWITCH, FormButton.SHOW)

    @property
    def are_differences_open(self) -> bool:
        return self._is_any_pressed(FormButton.SWITCH)

    def _is_any_pressed(self, *buttons: FormButton) -> bool:
        return any(button in self._pressed_buttons for button in buttons)

    # ------------------------------------------------------------------ the classic game

    def _show_difference(self, difference: Difference, source: str) -> ShownDifference:
        is_in_classic = difference.there != self._words.t("value.not-here")
        notes = []
        if source != self.usual_source:
            notes.append(source)
        standing = difference.cited.standing
        if standing != "stated":  # no source says it in so many words
            notes.append(self._words.t(f"standing.{standing}"))
        return ShownDifference(
            name=difference.name,
            here=difference.here,
            in_classic=difference.there if is_in_classic else "",
            source=_BETWEEN_NOTES.join(note for note in notes if note),
        )


def _make_seat_button(option: Option, choice: Choice, field: ChoiceField) -> ChoiceButton:
    """Make the button of a choice that decides how many players sit at the table: `players=3`."""
    value = f"{option.id}={choice.value}"
    return ChoiceButton(value, choice.label, is_chosen=choice.value == field.data)


def _write_source(difference: Difference, words: Words) -> str:
    """Write in words where a differing rule is written, such as a book and its page."""
    citations = [str(citation) for citation in difference.cited.citations]
    return citations_in_words(citations, words)


def _find_most_frequent(texts: Sequence[str]) -> str:
    """Find the text that occurs most often among these; empty if there are none."""
    if not texts:
        return ""
    text, _times = Counter(texts).most_common()[0]
    return text
