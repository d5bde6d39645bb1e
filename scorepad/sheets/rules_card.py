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
        super().__init__(name, words, preset, options)  # sets `variant` and `words`
        self.special = self.words.t(f"variant.{self.variant.id}.special")
        self.basics = [self.named_setting(key) for key in _BASICS if self.is_shown(key)]
        # What a side needs to go out (to play its last card) is the answer to a question.
        answered_elsewhere = QUESTIONS["out"]
        self.bonuses = tuple(self.canastas_and_bonuses(omitted=answered_elsewhere))
        self.penalties = [self._named_penalty(penalty) for penalty in self._penalties]

    @cached_property
    def questions(self) -> tuple[NamedValue, ...]:
        """The frequent questions, each with its answer."""
        questions = []
        for name, answering_rules in self._answered_questions.items():
            questions.append(self._question(name, answering_rules))
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
        penalties = []
        for penalty in self.variant.penalties.values():
            if self._can_be_given(penalty) and not self._is_printed_among_bonuses(penalty):
                penalties.append(penalty)
        return penalties

    def _can_be_given(self, penalty: PenaltyKind) -> bool:
        """Whether anybody can be given a penalty; some need a partner, whom not every game has."""
        needs_partner = penalty.code in PENALTIES_WITH_PARTNER
        # The rule of asking one's partner for permission exists only in games with partners.
        has_partners = applies("permission", self.variant)
        return has_partners or not needs_partner

    def _is_printed_among_bonuses(self, penalty: PenaltyKind) -> bool:
        """Whether the bonuses and losses on the card say the same as a penalty.

        Among them are the points lost for a red three (a bonus card) that is left in hand. Not
        having laid it is also an offence, which may cost just as much.
        """
        if penalty.code != NOT_EXPOSED:
            return False
        return bool(penalty.points == self.setting("held-red-three"))

    def _named_penalty(self, penalty: PenaltyKind) -> NamedValue:
        """A penalty and its points, in words."""
        name = self.words.t(f"penalty.{penalty.code}")
        points = penalty_words(penalty, self.words)
        is_for_red_three = penalty.code == NOT_EXPOSED
        if is_for_red_three and self.is_shown("held-red-three"):
            # The same offence is among the losses: the text says that both are not added up.
            points = self.words.t("paper.card.same-offence", points=points)
        return NamedValue(name, points)

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
        """The questions on the card, each with the rules that answer it: `{"pile": ["pile-tops"]}`.

        They are the most frequent ones among those that the rules of this game answer.
        """
        answered: dict[str, list[str]] = {}
        for question, rules in QUESTIONS.items():
            if len(answered) == ASKED:
                break
            answering_rules = [rule for rule in rules if self._is_answered_by(rule)]
            if answering_rules:
                answered[question] = answering_rules
        return answered

    def _is_answered_by(self, rule: str) -> bool:
        """Whether a question can be answered by a rule: the key of a setting, or of a statement.

        It cannot if this game has no such rule, or if its value leaves the question open.
        """
        if rule not in self.variant.settings:
            return self._has_statement(rule)
        return self.is_shown(rule) and self.setting(rule) not in _UNANSWERED

    def _has_statement(self, name: str) -> bool:
        """Whether a statement holds in this game, and the setting that it belongs to matters here.

        A statement is a sentence of the rulebook that is no setting; it may stand after one.
        """
        if name not in self._statements:
            return False
        setting_before = self._statements[name].after
        return setting_before is None or self.is_shown(setting_before)

    def _question(self, name: str, answering_rules: Iterable[str]) -> NamedValue:
        """A question and its answer: the sentences of the rules that answer it."""
        sentences = [self._sentence(rule) for rule in answering_rules]
        return NamedValue(self.words.t(f"paper.card.ask.{name}"), " ".join(sentences))

    def _sentence(self, rule: str) -> str:
        """A rule, which is the key of a setting or of a statement, as a sentence."""
        if rule in self.variant.settings:
            return rule_text(rule, self.variant, self.words)
        return self.words.t(f"rulebook.statement.{rule}")

    @cached_property
    def further_rules(self) -> list[str]:
        """The sentences of the rulebook that hold in this game and not in the classic one.

        Each belongs to a setting, without whose sentence it may not be understood. If the card has
        that nowhere else, it is put before the first such sentence.
        """
        settings_on_card = self._settings_on_card()
        rules = []
        for statement in self._statements_of_this_game:
            text = self._sentence(statement.id)
            setting_before = statement.after
            if setting_before is not None and setting_before not in settings_on_card:
                text = f"{self._sentence(setting_before)} {text}"
                settings_on_card.add(setting_before)
            rules.append(text)
        return rules

    def _settings_on_card(self) -> set[str]:
        """The settings in the tables of the card and in the answers to its questions."""
        settings = set(_SHOWN_ELSEWHERE)
        for answering_rules in self._answered_questions.values():
            settings.update(answering_rules)
        return settings

    # ---------------------------------------------------------------- sources

    @cached_property
    def _sources(self) -> _Sources:
        """The titles of the sources of the printed rules, each once."""
        citations = self._citations_of_rules()
        own_citations = [cited for cited in citations if not self._is_inherited(cited)]
        inherited_citations = [cited for cited in citations if self._is_inherited(cited)]

        # All games with penalties use those of the classic game.
        citations_of_penalties = [penalty.cited for penalty in self._penalties]
        if self._is_classic_game:
            own_citations += citations_of_penalties
        else:
            inherited_citations += citations_of_penalties

        own_titles = _titles(own_citations)
        classic_titles = _titles(inherited_citations)
        only_classic_titles = [title for title in classic_titles if title not in own_titles]
        return _Sources(own_titles, only_classic_titles)

    @property
    def _is_classic_game(self) -> bool:
        return not self.variant.inherits

    def _is_inherited(self, cited: Cited) -> bool:
        """Whether this game has a rule from the classic game, because its own sources do not say it.

        The citation of such a rule has a reason why it holds here. Each game has one for all the
        rules that it took over (`Variant.inherits`), such as `as-classic`.
        """
        why_it_holds = cited.read
        return why_it_holds is not None and why_it_holds == self.variant.inherits

    def _citations_of_rules(self) -> list[Cited]:
        """What is cited for the settings and the statements of this game that the card is about."""
        rules = ["canastas", "card-points", *_BASICS, *BONUSES]
        for rules_of_question in QUESTIONS.values():
            rules += rules_of_question

        citations = []
        for rule in rules:  # the key of a setting, or of a statement
            if rule in self.variant.settings:
                if self.is_shown(rule):
                    citations.append(self.variant.settings[rule].cited)
            elif self._has_statement(rule):
                citations.append(self._statements[rule].cited)
        for statement in self._statements_of_this_game:
            citations.append(statement.cited)
        return citations


def _length(facts: Iterable[NamedValue]) -> int:
    """The number of characters of names and values."""
    return sum(len(fact.name) + len(fact.value) for fact in facts)


def _titles(rules: Iterable[Cited]) -> list[str]:
    """The titles of the sources that are cited for these rules, in the order of the catalogue.

    Each has the pages that are cited: `["pagat.com «Canasta», «Samba»"]`.
    """
    citations: set[Citation] = set()
    for cited in rules:
        citations.update(cited.citations)
    titles = []
    for key, source in sources().items():
        cited_pages = [page for page in source.sections if Citation(key, page) in citations]
        if cited_pages:
            titles.append(_title_with_pages(source.title, cited_pages))
    return titles


def _title_with_pages(title: str, pages: Iterable[str]) -> str:
    """The title of a source with the names of its pages: `pagat.com «Hand and Foot»`.

    A title that includes the name of a page is that of a single page, and stays as it is.
    """
    if _IN_TITLE in title:
        return title
    quoted_pages = ", ".join([f"«{page}»" for page in pages])
    return f"{title} {quoted_pages}"
