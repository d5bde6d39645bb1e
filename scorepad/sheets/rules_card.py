"""Rules cards on A4: a game with a table's choices on one page, with answers to frequent questions.

A card is not laid out by trial: its text size follows from the length of its texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from scorepad.i18n import Words
from scorepad.i18n.rule_sentences import rule_text
from scorepad.referee.penalties import PENALTIES_WITH_PARTNER
from scorepad.rules.definitions import Choices, Citation, Cited, PenaltyKind, Statement
from scorepad.rules.hand import NOT_EXPOSED
from scorepad.rules.variants import get_variant, sources, statements_of
from scorepad.schemas.variant_json import CLASSIC, applies, penalty_words
from scorepad.sheets.game_facts import BONUSES, NEEDED_TO_GO_OUT, GameFacts, NamedValue
from scorepad.sheets.pdf import pdf_of, pdf_that_fits, render

QUESTIONS = {
    "pile": ("pile", "pile-layoff", "pile-drawn", "pile-tops"),
    "frozen": ("freezing", "pile-naturals-frozen"),
    "opening": (
        "opening-counts", "opening-naturals-up-to", "opening-wild-melds", "opening-natural-group", "opening-pile",
    ),
    "wilds": (
        "meld-shortest", "canasta-length", "meld-naturals", "wild-limit", "wild-ratio", "natural-only",
        "natural-after-opening", "wild-melds", "wilds-blocked",
    ),
    "same-rank": ("repeated-rank",),
    "red-threes": (
        "red-threes-kept", "red-three-replaced", "red-threes-condition", "red-threes-by-canastas", "held-red-three",
    ),
    "black-threes": (
        "black-three-discarded", "stop-ranks", "black-threes", "black-threes-fewest", "black-threes-wilds",
    ),
    "out": (*NEEDED_TO_GO_OUT, "incomplete", "last-discard", "last-discard-special"),
    "permission": ("permission",),
    "stock": ("end-of-stock",),
    "concealed": ("concealed-out",),
    "left": ("cards-left",),
    "sequences": ("sequences",),
    "wild-on-canasta": ("wild-on-canasta",),
    "discard": ("discard-fitting", "threes-together"),
}  # fmt: skip
"""Frequent questions, most frequent first, with the settings and statements that answer them. A
card has the first ten answered.
"""
ASKED = 10
"""Questions on a card."""
_BASICS = ("sides", "decks", "dealt", "drawn", "target", "match-deals")
_UNANSWERED = ("not-told", "not-refereed", "any")
"""The values of settings that answer no question."""
_SHOWN_ELSEWHERE = ("canastas", "opening-by", *_BASICS, *BONUSES)
"""The settings that the card shows in its tables, not in sentences."""
_IN_TITLE = "«"
"""The character in a title that includes the name of its page."""
_TEXT_SIZES = {"11": 1900, "10": 2600, "9": 6000}
"""The text sizes in points, each with the most characters of half a card (`RulesCard.length`) for
which it is tried.
"""
_SMALLEST_TEXT_SIZE = "9"


def make_rules_card(
    name: str,
    words: Words,
    preset: str | None = None,
    options: Choices | None = None,
    *,
    large: bool = False,
) -> bytes:
    """The rules card of a variant with a table's choices, as PDF: one page, in 18 pt several.

    Raises ChoiceError and NoPdf.
    """
    card = RulesCard(name, words, preset, options)
    if large:
        return pdf_of(_card_html(card, "large"))
    # Each size is laid out only if the card did not fit on a page in the one before.
    pages = (_card_html(card, size) for size in _sizes_to_try(card.length))
    return pdf_that_fits(pages)


def _card_html(card: RulesCard, size: str) -> str:
    """A rules card in a text size, or in `large` print, as HTML."""
    return render("card.html", card.words, page=card, size=size)


def _sizes_to_try(length: int) -> list[str]:
    """The text sizes in which a card of this length may fit on a page, the largest first.

    1,900 characters: `["11", "10", "9"]`; 2,000: `["10", "9"]`.
    """
    sizes = []
    for size, most_characters in _TEXT_SIZES.items():
        if length <= most_characters:
            sizes.append(size)
    if not sizes:
        return [_SMALLEST_TEXT_SIZE]
    return sizes


class _Sources(NamedTuple):
    """The titles of the sources of a game's own rules, and of those it has from the classic game."""

    of_this_game: list[str]
    of_classic_game: list[str]


class RulesCard(GameFacts):
    """The values shown by the template of a rules card.

    Attributes: `special`, what is special in the game, in a sentence; `basics`, the number of
    players, cards and the like; `bonuses`; `penalties`.
    """

    def __init__(
        self, name: str, words: Words, preset: str | None, options: Choices | None
    ) -> None:
        """Take the values from the variant `name` with the choices of a table."""
        super().__init__(name, words, preset, options)
        self.special = self.words.t(f"variant.{self.variant.id}.special")
        self.basics = [self.named_setting(key) for key in _BASICS if self.is_shown(key)]
        # What a side needs to go out is the answer to a question.
        self.bonuses = tuple(self.canastas_and_bonuses(omitted=QUESTIONS["out"]))
        self.penalties = [self._named_penalty(penalty) for penalty in self._penalties]

    @cached_property
    def questions(self) -> tuple[NamedValue, ...]:
        """The frequent questions, each with its answer."""
        questions = []
        for name, keys in self._answered_questions.items():
            questions.append(self._question(name, keys))
        return tuple(questions)

    @property
    def own_sources(self) -> list[str]:
        """The titles of the sources of the printed rules."""
        return self._sources.of_this_game

    @property
    def classic_sources(self) -> list[str]:
        """The titles of the sources of the rules that the game has from the classic game."""
        return self._sources.of_classic_game

    @property
    def length(self) -> int:
        """The number of characters in the longer half of the card, which decides the text size.

        On the left are bonuses and penalties, on the right questions and further rules. The left
        half is narrow, with figures in a column of their own: its texts count twice.
        """
        left = _length(self.bonuses) + _length(self.penalties)
        right = _length(self.questions) + sum(len(rule) for rule in self.further_rules)
        return max(2 * left, right)

    # ---------------------------------------------------------------- penalties

    @cached_property
    def _penalties(self) -> list[PenaltyKind]:
        return [
            penalty
            for penalty in self.variant.penalties.values()
            if self._is_penalty_printed(penalty)
        ]

    def _is_penalty_printed(self, penalty: PenaltyKind) -> bool:
        """Whether a penalty is printed: it can be given, and is not said elsewhere on the card."""
        if penalty.code in PENALTIES_WITH_PARTNER:
            has_partners = applies("permission", self.variant)
            return has_partners
        if penalty.code == NOT_EXPOSED:
            # The bonuses have the points of a red three left in hand, which may be the same.
            is_said_already = penalty.points == self.setting("held-red-three")
            return not is_said_already
        return True

    def _named_penalty(self, penalty: PenaltyKind) -> NamedValue:
        """A penalty and its points, in words."""
        points = penalty_words(penalty, self.words)
        if penalty.code == NOT_EXPOSED and self.is_shown("held-red-three"):
            # It replaces the points for a red three left in hand, and is not added to them.
            points = self.words.t("paper.card.same-offence", points=points)
        return NamedValue(self.words.t(f"penalty.{penalty.code}"), points)

    # ---------------------------------------------------------------- questions and further rules

    @cached_property
    def _statements(self) -> dict[str, Statement]:
        """The statements about this game by id: sentences of the rulebook that are no settings.

        Where another source says something else, its statement is left out.
        """
        return {each.id: each for each in statements_of(self.variant) if not each.differs}

    @cached_property
    def _statements_of_this_game(self) -> list[Statement]:
        """The statements that do not hold in the classic game."""
        classic_ids = {statement.id for statement in statements_of(get_variant(CLASSIC))}
        return [each for each in self._statements.values() if each.id not in classic_ids]

    @cached_property
    def _answered_questions(self) -> dict[str, list[str]]:
        """The first questions that the rules of this variant answer, each with the settings
        and statements that do.
        """
        answered: dict[str, list[str]] = {}
        for name, keys in QUESTIONS.items():
            answering = [key for key in keys if self._answers(key)]
            if answering and len(answered) < ASKED:
                answered[name] = answering
        return answered

    def _answers(self, key: str) -> bool:
        """Whether a setting or a statement says something about this game."""
        if key in self.variant.settings:
            return self.is_shown(key) and self.setting(key) not in _UNANSWERED
        return self._has_statement(key)

    def _has_statement(self, name: str) -> bool:
        """Whether a statement is printed: it is one of this game, and so is the rule it follows."""
        if name not in self._statements:
            return False
        rule = self._statements[name].after
        return rule is None or self.is_shown(rule)

    def _question(self, name: str, keys: Iterable[str]) -> NamedValue:
        """A question and its answer: the sentences of these settings and statements."""
        sentences = [self._sentence(key) for key in keys]
        return NamedValue(self.words.t(f"paper.card.ask.{name}"), " ".join(sentences))

    def _sentence(self, key: str) -> str:
        """A setting or a statement as a sentence."""
        if key in self.variant.settings:
            return rule_text(key, self.variant, self.words)
        return self.words.t(f"rulebook.statement.{key}")

    @cached_property
    def further_rules(self) -> list[str]:
        """The other rules of this game alone.

        A statement follows a setting of the rulebook, without which it may not be understood: if
        the card does not have that setting yet, its sentence comes first.
        """
        settings_on_card = set(_SHOWN_ELSEWHERE)
        for keys in self._answered_questions.values():
            settings_on_card.update(keys)
        rules = []
        for statement in self._statements_of_this_game:
            text = self._sentence(statement.id)
            setting = statement.after
            if setting is not None and setting not in settings_on_card:
                text = f"{self._sentence(setting)} {text}"
                settings_on_card.add(setting)
            rules.append(text)
        return rules

    # ---------------------------------------------------------------- sources

    @cached_property
    def _sources(self) -> _Sources:
        """The sources of the printed rules, each once."""
        of_this_game = []
        inherited = []
        for cited in self._cited_rules():
            if self._is_inherited(cited):
                inherited.append(cited)
            else:
                of_this_game.append(cited)

        # All games with penalties use those of the classic game.
        is_classic_game = not self.variant.inherits
        of_penalties = [penalty.cited for penalty in self._penalties]
        if is_classic_game:
            of_this_game += of_penalties
        else:
            inherited += of_penalties

        own_titles = _titles(of_this_game)
        other_titles = [title for title in _titles(inherited) if title not in own_titles]
        return _Sources(own_titles, other_titles)

    def _is_inherited(self, cited: Cited) -> bool:
        """Whether a rule was taken over from the classic game, as its sources are cited then.

        `read` is the name of the reason why a rule is inferred, empty if a source of this game
        states it. All rules that were taken over have the same reason: `inherits`.
        """
        return cited.read is not None and cited.read == self.variant.inherits

    def _cited_rules(self) -> list[Cited]:
        """The citations of the printed settings, and of the printed statements."""
        keys = ["canastas", "card-points", *_BASICS, *BONUSES]
        for keys_of_question in QUESTIONS.values():
            keys += keys_of_question

        cited = []
        for key in keys:
            is_setting = key in self.variant.settings
            if is_setting and self.is_shown(key):
                cited.append(self.variant.settings[key].cited)
            if not is_setting and self._has_statement(key):
                cited.append(self._statements[key].cited)
        for statement in self._statements_of_this_game:
            cited.append(statement.cited)
        return cited


def _length(facts: Iterable[NamedValue]) -> int:
    """The number of characters of names and values."""
    return sum(len(fact.name) + len(fact.value) for fact in facts)


def _titles(rules: Iterable[Cited]) -> list[str]:
    """The titles of the sources that are cited for these rules, in the order of the catalogue."""
    citations: set[Citation] = set()
    for cited in rules:
        citations.update(cited.citations)
    titles = []
    for key, source in sources().items():
        pages = [page for page in source.sections if Citation(key, page) in citations]
        if pages:
            titles.append(_title_with_pages(source.title, pages))
    return titles


def _title_with_pages(title: str, pages: Iterable[str]) -> str:
    """The title of a source with the names of its pages: `pagat.com «Hand and Foot»`.

    A title that includes the name of a page is that of a single page, and stays as it is.
    """
    if _IN_TITLE in title:
        return title
    quoted_pages = ", ".join([f"«{page}»" for page in pages])
    return f"{title} {quoted_pages}"
