"""The referee's pages: a question in a few steps, the ruling with its reason and source, and
rulings that are saved in a match.

A question has facts, which the pages ask for one by one. They stand in the address under short
names: `top` is the top card of the discard pile (`pozzo`), `laid` are the cards laid from the hand,
and `table` is what lies on the table already. Cards are written as in `2xK 2`, two kings and a two;
` / ` separates melds.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorepad.referee.in_force import has_partner
from scorepad.referee.penalties import irregularities
from scorepad.rules.variants import settle, variant_ids
from scorepad.web.cookies import VIEW_COOKIE
from scorepad.web.referee.question_pages import QUESTIONS
from tests.web.client import Client, Element, Page, Visit
from tests.web.player import Player
from tests.web.playing import HAND_430_TO_60, hand, side, start
from tests.web.referee_asked import facts_of_case, question_asked, verdict_word
from tests.web.tables import read_tables

CASES = read_tables("referee")
SAVE_RULING = "Salva la decisione"  # "Save the ruling"


def answer_question(client: Client, page: Page, status: int = 200, **typed: str) -> Page:
    """Type into the page of a question and press "Go on"; return the page that is answered."""
    return client.submit(page, "Avanti", status, **typed)


# ---------------------------------------------------------------- the questions


def test_first_page_lists_the_questions(client: Client) -> None:
    # The link "Referee" is followed from the home page.
    page = client.get(client.get("/").links()["Arbitro"])

    # The first question is "May they take the pile?", the last link leads to all penalties.
    assert page.texts("a", class_="tile") == CASES["asked"]
    assert "Canasta classica" in page.text


def test_first_page_links_to_a_draw_out_of_turn(client: Client) -> None:
    first_page = client.get("/arbitro")

    page = client.get(first_page.links()["Pescata fuori turno"])  # "Draw out of turn"

    # The cards drawn "stay face up beside the player", and the side loses 100 points.
    ruling = page.one(class_="ruling").texts("p")
    assert "restano scoperte accanto al giocatore" in ruling[0]
    assert ruling[1] == "−100"
    assert verdict_word(page) == "−100"
    assert "Calcolo delle penalità" in page.text  # "Calculation of penalties", the source


@pytest.mark.parametrize(("mistake", "answer", "verdict"), CASES["mistakes"])
def test_mistake_asks_for_what_decides_its_remedy(
    client: Client, mistake: str, answer: str, verdict: str
) -> None:
    # The referee's page lists mistakes. One is "3 rosso non esposto", a red three that was not laid
    # down. Its link opens a question: is the hand over?
    mistakes = client.get("/arbitro").links()
    question = client.get(mistakes[mistake])

    # Each answer is a link. With "No, si gioca ancora" (no, the hand goes on) the verdict is "Per
    # ora nessuna penalità", no penalty for now.
    page = client.get(question.links()[answer])
    assert verdict_word(page) == verdict


def test_mistake_without_a_question_is_not_found(client: Client) -> None:
    # There is no mistake "altro". For a red three that was not laid down there is a question.
    client.get("/arbitro/penalita?sbaglio=altro", status=404)
    client.get("/arbitro/penalita?sbaglio=red-three-not-exposed", status=200)

    # In mini red threes may be held in hand. So this is no mistake there.
    client.get("/arbitro/penalita?variante=mini&sbaglio=red-three-not-exposed", status=404)


@pytest.mark.parametrize("variant", variant_ids())
def test_every_question_can_be_asked_in_every_variant(client: Client, variant: str) -> None:
    tiles = client.get(f"/arbitro?variante={variant}").all("a", class_="tile")

    # Without a partner there is nobody to ask for permission to go out.
    number_of_questions = len(QUESTIONS)
    if not has_partner(settle(variant).settings):
        number_of_questions -= 1
    assert len(tiles) == number_of_questions

    for tile in tiles:
        page = client.get(tile["href"])
        assert not page.errors
        assert "referee." not in page.text, "the key of a text that is missing"


# ---------------------------------------------------------------- the search


def test_search_finds_rules_too(client: Client) -> None:
    page = client.get("/arbitro?testo=pozzo congelato")  # "frozen pile"

    # "A wild card that is discarded or turned up freezes the pile for everybody"
    rule = "Una matta scartata o scoperta congela il pozzo per tutti"
    assert rule in page.one("ul", class_="rules-found").text

    # The link "All that the rulebook says" leads to its search.
    search_of_rulebook = client.get(page.links()["Tutto quello che dice il regolamento"])
    assert search_of_rulebook.url.startswith("/regole/cerca")


def test_search_without_a_result_says_so(client: Client) -> None:
    page = client.get("/arbitro?testo=zanzibar")
    assert "nessuna regola ne parla" in page.text  # "no rule speaks of it"


def questions_found(section: Element) -> list[str]:
    """Return the questions and mistakes that were found, by their names in the links."""
    names = []
    for found in section.all("ul", class_="tiles"):
        for link in found.all("a"):
            # A question has the link `/arbitro/chiusura`, whose name is `chiusura`. A mistake has
            # `/arbitro/penalita?caso=partner-talk`, whose name is `partner-talk`.
            name = link["href"].removeprefix("/arbitro/")
            names.append(name.rpartition("=")[2])
    return names


def rules_found(section: Element) -> list[str]:
    """Return the places in the rulebook that were found, such as `regola-canastas-needed`."""
    places = []
    for found in section.all("ul", class_="rules-found"):
        places += [link["href"].rpartition("#")[2] for link in found.all("a")]
    return places


@pytest.mark.parametrize(
    ("language", "search", "first", "questions", "rules"),
    read_tables("searches_typed")["searches"],
)
def test_search_lists_the_right_question_and_rule_first(
    visit: Visit, language: str, search: str, first: str, questions: str, rules: str
) -> None:
    # One search is "posso chiudere con due canaste sporche" ("may I go out with two mixed
    # canastas").
    page = visit(language).get("/arbitro", query_string={"testo": search})
    section = page.one("section", class_="found-here")
    found_questions = questions_found(section)
    found_rules = rules_found(section)

    # `questions` are the names of those that may come first, such as "chiusura" (going out). The
    # names are separated by blanks. If there is none, any will do.
    if questions:
        assert found_questions[0] in questions.split()

    # So are `rules`, such as "regola-canastas-needed". One is among the first two.
    if rules:
        right_rules = set(rules.split())
        assert right_rules & set(found_rules[:2])

    # `first` says whether the page has the questions or the rules first, if it matters.
    first_link = section.all("a")[0]["href"]
    if first == "question":
        assert first_link.endswith(found_questions[0])
    if first == "rule":
        assert first_link.endswith(found_rules[0])


def test_search_in_a_match_links_into_the_match(client: Client) -> None:
    url = start(client)
    page = client.get(f"{url}/arbitro?testo=posso chiudere")  # "may I go out"
    assert page.links()["Può chiudere?"].startswith(url)


@pytest.mark.parametrize(
    "address",
    # No such question, another card game, and no such mistake.
    ["/arbitro/altro", "/arbitro?variante=briscola", "/arbitro/penalita?caso=niente"],
)
def test_unknown_question_or_game_is_not_found(client: Client, address: str) -> None:
    client.get(address, status=404)


# ---------------------------------------------------------------- one fact at a time


def test_question_ends_at_the_first_fact_that_decides(client: Client) -> None:
    # May somebody take the pile? On top is a king ("re").
    page = tap_card(client, client.get("/arbitro/pozzo"), "top", "re")
    assert question_asked(page) == "Il pozzo è congelato?"  # "Is the pile frozen?"

    # It is frozen: "What is laid from the hand together with the top card?"
    page = tap_answer(client, page, "frozen", "yes")
    assert question_asked(page) == "Che cosa cala dalla mano insieme alla carta in cima?"

    # A frozen pile is only taken with two natural kings, and a two is wild. Whether the side has
    # opened makes no difference, and is not asked.
    page = answer_question(client, page, laid="K 2")
    assert page.one(class_="verdict")["data-verdict"] == "forbidden"
    assert verdict_word(page) == "No"
    assert page.answer.request.query_string == b"top=K&frozen=yes&laid=K+2"


def test_question_goes_on_while_nothing_decides(client: Client) -> None:
    # A frozen pile with a king on top may be taken with two kings, if the side has opened.
    page = client.get("/arbitro/pozzo?top=K&frozen=yes&laid=2xK")
    assert question_asked(page) == "La coppia ha già aperto?"  # "Has the pair opened already?"

    page = tap_answer(client, page, "opened", "yes")
    assert verdict_word(page) == "Sì"  # "Yes"


@pytest.mark.parametrize(("address", "verdict", "reason"), CASES["decisive_reasons"])
def test_decisive_reason_comes_first(
    client: Client, address: str, verdict: str, reason: str
) -> None:
    # One case is a king and a two for a frozen pile with a king on top. The first reason of the no
    # is "The pile is frozen. Two natural kings are needed".
    page = client.get(f"/arbitro/{address}")

    assert verdict_word(page) == verdict
    assert page.one(class_="lead-reason").text.startswith(reason)


def test_unknown_fact_gives_a_conditional_answer(client: Client) -> None:
    # In mini, may an eight be discarded that is not the last card? "Which melds does the pair have
    # on the table?"
    page = client.get("/arbitro/scarto?variante=mini&card=8&last=no")
    assert question_asked(page) == "Quali combinazioni ha già sul tavolo la coppia?"

    # "I do not know": "It depends".
    page = client.get(page.links()["Non lo so"])
    assert verdict_word(page) == "Dipende"
    assert page.one(class_="ruling")["class"] == "ruling depends"


def test_all_facts_can_be_given_on_one_page(client: Client) -> None:
    # The link "All questions on one page" is followed from the first question.
    first_question = client.get("/arbitro/pozzo")
    page = client.get(first_question.links()["Tutte le domande in una pagina"])

    # A king is on top of a frozen pile. Two kings and three eights are laid from the hand, and
    # nothing is on the table. The button is "Ask the referee".
    facts = {"top": "K", "frozen": "yes", "laid": "2xK / 3x8", "table": ""}
    answer = client.submit(page, "Chiedi all'arbitro", **facts)
    assert verdict_word(answer) == "Sì"  # "Yes"

    # The link "Change the facts" leads back to the same page, filled in.
    facts_again = client.get(answer.links()["Cambia i fatti"])
    assert facts_again.value_of("laid") == "2xK / 3x8"
    assert facts_again.one("input", id="frozen-yes").has("checked")


def test_tapped_cards_are_sorted_into_melds_by_rank(client: Client) -> None:
    # A king is on top of the pile. Which cards of the hand are laid to take it?
    page = client.get("/arbitro/pozzo?top=K&frozen=no")

    # Tapped are king ("re"), two ("pinella"), eight ("otto"), king, eight, joker and king.
    page = tap_cards(client, page, "laid", "re pinella otto re otto jolly re")
    # That is a meld of two eights and a joker, and one of three kings and a two.
    assert laid_cards(page) == "2x8 JK / 3xK 2"

    # "With the top card", a king, there are four kings. 2 × 10 for the eights + 50 for the joker.
    with_top_card = "Con la carta in cima: 2 otto e 1 jolly (combinazione · 70 punti)"
    assert f"{with_top_card}; 4 re e 1 pinella" in page.text


def test_new_meld_and_removal_of_tapped_cards(client: Client) -> None:
    # Two eights with a joker, and three kings with a two, are laid to take the pile.
    page = client.get("/arbitro/pozzo?top=K&frozen=no&passo=laid&laid=2x8 JK / 3xK 2")

    # "New meld" is tapped, and then a joker, which might belong to the other melds too.
    page = client.submit(page, "Nuova combinazione")
    page = tap_card(client, page, "laid", "jolly")
    assert laid_cards(page) == "2x8 JK / 3xK 2 / JK"

    # "Remove the last one" is tapped twice: the joker goes, then the two.
    page = client.submit(page, "Togli l'ultima")
    page = client.submit(page, "Togli l'ultima")
    assert laid_cards(page) == "2x8 JK / 3xK"


def laid_cards(page: Page) -> str:
    """Return what stands in the field of the cards laid."""
    return page.value_of("laid")


def tap_answer(client: Client, page: Page, name: str, value: str) -> Page:
    """Press the button that answers a question with this value; return the next page."""
    for form in page.all("form"):
        if form.all("button", name=name, value=value):
            query = page.values(form) | {name: value}
            return client.get(form["action"], query_string=query)
    raise AssertionError(f"no button {name}={value}")


def tap_card(client: Client, page: Page, field: str, card: str) -> Page:
    """Tap a card, by its Italian name, on the keys of a field; return the next page."""
    form = page.form("Togli l'ultima")
    for key in form.all("button", data_to=field):
        if key.texts("small") == [card]:
            query = page.values(form) | {"do": key["value"]}
            return client.get(form["action"], query_string=query)
    raise AssertionError(f"no key of {card}")


def tap_cards(client: Client, page: Page, field: str, cards: str) -> Page:
    """Tap these cards, by their Italian names, one by one; return the last page."""
    for card in cards.split():
        page = tap_card(client, page, field, card)
    return page


def test_tapping_a_single_card_answers_the_question(client: Client) -> None:
    # Which card is on top of the pile? A black three ("tre nero"), with which nobody may take it.
    question = client.get("/arbitro/pozzo?top=K&passo=top")
    page = tap_card(client, question, "top", "tre nero")

    assert verdict_word(page) == "No"
    assert facts_of_case(page)["Carta in cima al pozzo"] == ["tre nero"]


def test_tapping_a_score_range_answers_the_opening(client: Client) -> None:
    # Is it enough to open? Three queens and three nines have 60 points, 10 each.
    page = client.get("/arbitro/apertura?melds=3xQ 3x9")

    # Each button stands for a range of the side's score.
    verdicts = {}
    for button in page.one(class_="answers").all("button"):
        query = {"melds": "3xQ 3x9", "do": button["value"]}
        answer = client.get("/arbitro/apertura", query_string=query)
        verdicts[button.text] = verdict_word(answer)

    assert verdicts == {
        "sotto zero": "Sì",  # below zero, where an opening needs 15
        "da 0 a 1.495": "Sì",  # 50
        "da 1.500 a 2.995": "No",  # 90
        "da 3.000 in su": "No",  # 120
    }


def test_tapped_cards_have_the_chosen_suit_in_samba(client: Client) -> None:
    # Samba has sequences, whose cards are of one suit. Hearts ("h") are chosen, and then queen,
    # jack and ten tapped.
    page = client.get("/arbitro/calata?variante=samba&cards-suit=h")
    page = tap_cards(client, page, "cards", "donna fante dieci")
    assert page.value_of("cards") == "Qh Jh 10h"
    assert "scala" in page.text  # "sequence"

    # In classica suits do not matter.
    in_classica = client.get("/arbitro/calata")
    assert not in_classica.all("input", name="cards-suit")


@pytest.mark.parametrize(("address", "field", "typed", "error"), CASES["cannot_be"])
def test_invalid_answer_is_refused_and_kept(
    client: Client, address: str, field: str, typed: str, error: str
) -> None:
    # One case is "K Q", typed where a single card is asked for.
    page = answer_question(client, client.get(address), status=422, **{field: typed})

    assert error in page.errors[0]
    assert error in page.one("p", id=f"{field}-error").text
    assert page.value_of(field) == typed


def test_too_many_cards_are_refused_and_cut(client: Client) -> None:
    question = client.get("/arbitro/calata")
    six_hundred_kings = "K " * 600  # 1,200 characters, where 1,000 are allowed

    page = answer_question(client, question, status=422, cards=six_hundred_kings)

    assert "Troppo lungo" in page.errors[0]  # "Too long"
    # One character too many is kept, so that the text is still too long if it is sent again.
    assert page.value_of("cards") == six_hundred_kings[:1001]


def test_missing_fact_is_asked_for(client: Client) -> None:
    # The answer ("risposta") is asked for at once, without any fact.
    page = client.get("/arbitro/pozzo?passo=risposta", status=422)
    assert page.errors == ["Scegli la carta, o scrivila."]  # "Choose the card, or write it."


def test_going_back_keeps_the_later_answers(client: Client) -> None:
    # The pile is frozen and has a king on top. Three kings of the hand are laid to take it.
    last_question = client.get("/arbitro/pozzo?top=K&frozen=yes&laid=3xK&passo=laid")

    # The link "Back" leads to the question whether the pile is frozen.
    question_before = client.get(last_question.links()["Indietro"])
    assert "chosen" in question_before.one("button", name="frozen", value="yes")["class"]

    # The answer is changed. What is laid from the hand is not asked again: "Has the pair opened
    # already?" comes next.
    page = tap_answer(client, question_before, "frozen", "no")
    assert question_asked(page) == "La coppia ha già aperto?"
    assert b"laid=3xK" in page.answer.request.query_string


# ---------------------------------------------------------------- rules


def test_chosen_game_is_kept_on_the_following_pages(client: Client) -> None:
    # "Change game or rules" leads to the choice of the game, and "Use these rules" back.
    referee = client.get("/arbitro")
    rules = client.get(referee.links()["Cambia gioco o regole"])
    rules_of_samba = client.get(rules.links()["Samba"])
    first_page = client.submit(rules_of_samba, "Usa queste regole")
    assert "Samba" in first_page.one(class_="playing").text

    # "Is this meld legal?" A sequence of hearts is, but only in games such as samba.
    question = client.get(first_page.links()["Questa calata vale?"])
    answer = answer_question(client, question, cards="Qh Jh 10h")
    assert "Samba" in answer.one(class_="playing").text
    assert verdict_word(answer) == "Sì"  # "Yes"


def test_chosen_rules_are_in_the_address(client: Client) -> None:
    # Chosen are the rules of the Enciclopedia, with another limit for wild cards in a meld. The
    # button is "Use these rules".
    chosen = {"preset": "enciclopedia", "wild_limit": "fewer-than-naturals"}
    page = client.submit("/arbitro/regole", "Usa queste regole", **chosen)
    assert "Enciclopedia" in page.one(class_="playing").text

    # The link to a question takes them along.
    question = page.links()["Questa calata vale?"]
    assert question.endswith("?preset=enciclopedia&wild-limit=fewer-than-naturals")

    # There are no rules "altro".
    assert client.get("/arbitro?preset=altro").errors


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("case", CASES["page_says"].values(), ids=CASES["page_says"])
def test_page_of_question_shows_texts(client: Client, case: dict[str, Any]) -> None:
    # One case is "the figures of the case and the source". It asks whether three queens and three
    # nines open with a score of 1,600, and the page says that 90 points are needed, 60 were laid
    # and 30 are missing. Other cases are asked in a match of a variant.
    match = ""
    if "match" in case:
        match = start(client, case["match"])

    page = client.get(f"{match}/arbitro/{case['at']}")

    if "word" in case:
        assert verdict_word(page) == case["word"]
    for text in case.get("says", ()):
        assert text in page.text
    for text in case.get("never", ()):
        assert text not in page.text


@pytest.mark.parametrize(("address", "verdict"), CASES["one_word"])
def test_verdict_is_one_word(client: Client, address: str, verdict: str) -> None:
    # One case asks how many points an opening takes with a score of 3,000, and is answered "120
    # punti".
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert verdict_word(page) == verdict


# ---------------------------------------------------------------- in a match


def test_referee_of_a_match_uses_its_rules(client: Client) -> None:
    url = start(client, "samba")

    referee = client.get(client.get(url).links()["Arbitro"])  # "Referee"

    assert referee.url == f"{url}/arbitro"
    assert "Samba" in referee.one(class_="playing").text
    assert "Cambia gioco o regole" not in referee.text  # "Change game or rules"


def test_referee_of_a_match_knows_the_scores(player: Player) -> None:
    # Noi ("We") have 3 × 500 for clean canastas + 400 of cards + 100 for going out = 2,000 points.
    # Loro ("They") have 60.
    player.play(hand(side(cards=400, natural=3), side(cards=60), out="a"))

    # Are three queens and three nines enough to open? They have 60 points.
    page = answer_question(player.client, player.page("arbitro/apertura"), melds="3xQ / 3x9")
    assert question_asked(page) == "Di chi si parla?"  # "Who is it about?"

    # Not for Noi: "To open 90 points are needed, and you have laid 60".
    of_noi = tap_answer(player.client, page, "who", "0")
    assert "Per aprire servono 90 punti, ne hai calati 60" in of_noi.text
    assert "2.000" in of_noi.text

    # They are enough for Loro, who need 50.
    of_loro = player.page("arbitro/apertura?who=1&melds=3xQ+/+3x9&passo=risposta")
    assert verdict_word(of_loro) == "Sì"  # "Yes"


def test_referee_of_a_match_refuses_an_unknown_side(client: Client) -> None:
    # Are three queens enough to open, for side 7? The sides of the match are 0 and 1.
    url = start(client)
    page = client.get(f"{url}/arbitro/apertura?melds=3xQ&who=7", status=422)
    assert page.errors == ["Scegli di chi si parla."]  # "Choose who it is about."


def test_facts_are_filled_in_from_the_open_hand(player: Player) -> None:
    # In the form of the hand being played the first side has seven queens, four kings with two
    # twos, and two red threes.
    player.check({"a.melds": "7xQ\n4xK 2x2", "a.red_threes": "2"})

    # The questions about going out and about red threes ask for them.
    table = player.page("arbitro/chiusura?who=0&passo=table")
    red_threes = player.page("arbitro/tre-rossi?who=0&passo=count")

    assert table.value_of("table") == "7xQ / 4xK 2x2"
    assert red_threes.value_of("count") == "2"


def test_going_out_is_judged_by_the_melds_of_the_open_hand(player: Player) -> None:
    # The form of the hand being played has a canasta of seven queens, which going out needs.
    player.check({"a.melds": "7xQ\n4xK 2x2", "a.red_threes": "2"})

    question = player.page("arbitro/chiusura")
    assert question_asked(question) == "Di chi si parla?"  # "Who is it about?"

    # The first side may go out.
    with_canasta = player.page("arbitro/chiusura?who=0&passo=risposta")
    assert verdict_word(with_canasta) == "Sì"

    # Somebody deletes the melds that the referee took from the form.
    without_canasta = player.page("arbitro/chiusura?who=0&table=&passo=risposta")
    assert verdict_word(without_canasta) == "No"


# ---------------------------------------------------------------- kept


def test_saved_ruling_is_shown_on_match_log_and_page_of_rulings(player: Player) -> None:
    # Are three queens enough to open? They have 30 points, and 50 are needed.
    page = player.submit("arbitro/apertura?who=0&melds=3xQ&passo=risposta", SAVE_RULING)

    # The page of the match names the ruling in short: "Is it enough to open? No". It tells neither
    # the reason, that 20 are missing, nor the facts of the case ("Il caso").
    assert page.url == player.match
    assert page.notices[0] == "Decisione salvata con la smazzata 1."  # "Ruling saved with hand 1."
    short_ruling = "Basta per aprire? No"
    assert f"Arbitro: {short_ruling}" in page.text
    assert "ne mancano 20" not in page.text
    assert "Il caso" not in page.text

    # The log tells all of it: the side, the three queens, the reason and its source.
    log = player.page("registro").text
    assert f"Decisione dell'arbitro nella smazzata 1. {short_ruling}" in log
    assert "Il caso: Noi; " in log
    assert "Calate per aprire: 3 donne" in log
    assert "ne mancano 20. (Wikipedia: «L'apertura»" in log

    # So does the page of the rulings.
    rulings = player.page("arbitro/decisioni").text
    assert "3 donne" in rulings
    assert "«L'apertura»" in rulings

    # Once the hand is counted, the ruling is shown with it.
    after_the_hand = player.play(HAND_430_TO_60)
    assert f"Arbitro: {short_ruling}" in after_the_hand.text


def test_saved_ruling_shows_where_it_would_differ(player: Player) -> None:
    # May the first side take a frozen pile with a king on top, by laying a king and a two? Only by
    # the rules of the Enciclopedia it may.
    facts = "who=0&top=K&laid=K 2&frozen=yes&opened=yes"
    answer = player.page(f"arbitro/pozzo?{facts}&passo=risposta")
    elsewhere = answer.one("ul", class_="others").text
    assert elsewhere.startswith("Enciclopedia; Presa del pozzo: ")  # "taking the pile"

    player.submit(answer, SAVE_RULING)

    rulings = player.page("arbitro/decisioni")
    assert rulings.one("ul", class_="others").text == elsewhere


DRAW_OUT_OF_TURN = "arbitro/penalita?caso=draw-out-of-turn"
"""The page of the ruling on this mistake: it costs 100 points."""


def test_ruling_is_saved_with_a_penalty_for_a_side(player: Player) -> None:
    # The ruling is about a draw out of turn, which costs 100 points. No side is chosen: "Choose who
    # gets the penalty, or nobody."
    refused = player.submit(DRAW_OUT_OF_TURN, SAVE_RULING, status=422)
    assert refused.errors == ["Scegli a chi si segna la penalità, o a nessuno."]

    # The second side is: "Ruling saved, with the penalty … It is counted with the hand."
    saved = player.submit(refused, SAVE_RULING, whose="1")
    notice = "Decisione salvata, con la penalità: Loro, −100. Si conta con la smazzata."
    assert saved.notices[0] == notice
    assert player.noted == [(1, "draw-out-of-turn")]


def test_undo_of_a_ruling_removes_its_penalty(player: Player) -> None:
    # A ruling is saved with a penalty for the second side, and then undone by the button "Undo the
    # ruling of the referee".
    saved = player.submit(DRAW_OUT_OF_TURN, SAVE_RULING, whose="1")
    undone = player.submit(saved, "Annulla la decisione dell'arbitro")

    assert undone.notices == ["Decisione dell'arbitro annullata."]  # "… undone"
    assert player.state.rulings == []
    assert player.noted == []


def test_ruling_is_saved_without_a_penalty(player: Player) -> None:
    # A draw out of turn costs 100 points, but the table lets it pass.
    player.submit(DRAW_OUT_OF_TURN, SAVE_RULING, whose="nobody")
    assert len(player.state.rulings) == 1
    assert player.noted == []


def test_ruling_that_lacks_a_fact_is_not_saved(player: Player) -> None:
    # The page of a ruling (a black three is on top) sends its facts as they stand in the address.
    # Here the only fact is that the pile is frozen.
    page = player.page("arbitro/pozzo?top=3b")
    without_top_card = page.form_values(SAVE_RULING) | {"asked": "frozen=yes"}

    save_url = f"{player.match}/arbitro/pozzo/tieni"
    question = player.client.post(save_url, without_top_card, status=422)

    assert "Che carta c'è in cima al pozzo?" in question.text  # "Which card is on top of the pile?"
    assert player.state.rulings == []


def test_ruling_for_a_hand_saved_meanwhile_is_refused_once(player: Player) -> None:
    # While somebody looks at the ruling that three kings may be laid, the hand is counted.
    page = player.page("arbitro/calata?cards=3xK&passo=risposta")
    player.play(HAND_430_TO_60)

    # The ruling is shown again: "Meanwhile the hand was counted".
    refused = player.submit(page, SAVE_RULING, status=409)
    assert "Intanto la smazzata è stata contata" in refused.errors[0]
    assert verdict_word(refused) == "Sì"  # "Yes"

    # The button is pressed again. The ruling is saved with the hand that is played now.
    player.submit(refused, SAVE_RULING)
    (ruling,) = player.state.rulings
    assert ruling.event.number == 2


def test_saved_penalty_does_not_overwrite_the_draft(player: Player) -> None:
    # In the form of the hand somebody typed "two" where a number of penalties is asked for.
    player.check({"b.penalties.draw-out-of-turn": "due"})

    # The same penalty is saved by a ruling of the referee.
    player.submit(DRAW_OUT_OF_TURN, SAVE_RULING, whose="1")

    assert player.draft["b.penalties.draw-out-of-turn"] == "due"
    assert player.noted == [(1, "draw-out-of-turn")]


def test_viewer_may_ask_but_not_save(player: Player, guest: Client) -> None:
    # The player has saved the ruling that three kings may be laid. The guest may only look.
    question = "arbitro/calata?cards=3xK&passo=risposta"
    player.submit(question, SAVE_RULING)
    player.let_in(guest, VIEW_COOKIE)

    # The guest asks the same.
    answer = guest.get(f"{player.match}/{question}")
    assert verdict_word(answer) == "Sì"  # "Yes"
    assert SAVE_RULING not in answer.text

    # Beside the saved ruling there is no button "Remove".
    rulings = guest.get(f"{player.match}/arbitro/decisioni")
    assert "Togli" not in rulings.text


def test_no_ruling_is_saved_after_the_end(player: Player) -> None:
    # While somebody looks at a ruling, the match is broken off.
    page = player.page("arbitro/calata?cards=3xK&passo=risposta")
    player.end("broken-off")

    late = player.submit(page, SAVE_RULING)

    assert late.url == player.match
    assert player.state.rulings == []

    # The page of the same ruling has no button to save it any more.
    page_after_the_end = player.page("arbitro/calata?cards=3xK&passo=risposta")
    assert SAVE_RULING not in page_after_the_end.text


def test_mistakes_of_questions_are_known_irregularities() -> None:
    known_codes = {irregularity.code for irregularity in irregularities(settle("classica"))}

    # After the answer that something is forbidden, the page links to the penalty for doing it.
    for question in QUESTIONS:
        for mistake in question.mistakes:
            assert mistake.code in known_codes
