"""The referee's pages: questions in a few steps, answers with reason, source and what differs,
rulings kept.
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
KEEP = "Salva la decisione"


def keep_ruling(client: Client, address: str) -> Page:
    """The page after the ruling on a page of the referee was kept."""
    return client.submit(address, KEEP)


def give_answer(client: Client, page: Page, status: int = 200, **typed: str) -> Page:
    """The page after this was typed and "go on" was pressed."""
    return client.submit(page, "Avanti", status, **typed)


# ---------------------------------------------------------------- the questions


def test_the_first_page_asks_as_people_ask(client: Client) -> None:
    page = client.get(client.get("/").links()["Arbitro"])
    assert page.texts("a", class_="tile") == CASES["asked"]
    assert "Canasta classica" in page.text


def test_a_draw_out_of_turn_is_found_on_the_first_page(client: Client) -> None:
    first_page = client.get("/arbitro")

    page = client.get(first_page.links()["Pescata fuori turno"])

    # The remedy is what people ask for; what it costs stands under it.
    remedy, points, *_ = page.one(class_="ruling").texts("p")
    assert "restano scoperte accanto al giocatore" in remedy
    assert points == "−100"
    assert verdict_word(page) == "−100"
    assert "Calcolo delle penalità" in page.text


@pytest.mark.parametrize(("mistake", "answer", "verdict"), CASES["mistakes"])
def test_a_mistake_asks_what_changes_its_remedy(
    client: Client, mistake: str, answer: str, verdict: str
) -> None:
    """For example a red three that was not laid down: whether the hand goes on."""
    question = client.get(client.get("/arbitro").links()[mistake])
    page = client.get(question.links()[answer])
    assert verdict_word(page) == verdict


def test_a_mistake_that_no_question_tells_apart_is_not_found(client: Client) -> None:
    client.get("/arbitro/penalita?sbaglio=altro", status=404)
    client.get("/arbitro/penalita?sbaglio=red-three-not-exposed", status=200)
    # Where red threes may be held there is nothing to ask.
    client.get("/arbitro/penalita?variante=mini&sbaglio=red-three-not-exposed", status=404)


@pytest.mark.parametrize("variant", variant_ids())
def test_every_question_can_be_asked_in_every_variant(client: Client, variant: str) -> None:
    tiles = client.get(f"/arbitro?variante={variant}").all("a", class_="tile")

    questions = len(QUESTIONS)
    if not has_partner(settle(variant).settings):
        questions -= 1  # nobody to ask whether to go out
    assert len(tiles) == questions
    for tile in tiles:
        page = client.get(tile["href"])
        assert not page.errors
        assert "referee." not in page.text, "a key in place of words"


# ---------------------------------------------------------------- the search


def test_the_search_tells_the_rules_too(client: Client) -> None:
    page = client.get("/arbitro?testo=pozzo congelato")
    whole_rulebook = client.get(page.links()["Tutto quello che dice il regolamento"])
    nothing_found = client.get("/arbitro?testo=zanzibar")

    rule = "Una matta scartata o scoperta congela il pozzo per tutti"
    assert rule in page.one("ul", class_="rules-found").text
    assert whole_rulebook.url.startswith("/regole/cerca")
    assert "nessuna regola ne parla" in nothing_found.text


def questions_found(section: Element) -> list[str]:
    """The questions and irregularities, as their URLs name them."""
    names = []
    for tiles in section.all("ul", class_="tiles"):
        for link in tiles.all("a"):
            names.append(link["href"].removeprefix("/arbitro/").rpartition("=")[2])
    return names


def rules_found(section: Element) -> list[str]:
    """The places in the rulebook."""
    places = []
    for found in section.all("ul", class_="rules-found"):
        places += [link["href"].rpartition("#")[2] for link in found.all("a")]
    return places


@pytest.mark.parametrize(
    ("language", "search", "first", "questions", "rules"),
    read_tables("searches_typed")["searches"],
)
def test_a_search_as_people_type_it_finds_its_question_and_its_rule_first(
    visit: Visit, language: str, search: str, first: str, questions: str, rules: str
) -> None:
    """Some searches have two questions or rules that are right, with a blank between them."""
    page = visit(language).get("/arbitro", query_string={"testo": search})
    section = page.one("section", class_="found-here")

    if questions:
        assert questions_found(section)[0] in questions.split()
    if rules:
        right_rules = rules.split()
        assert any(rule in right_rules for rule in rules_found(section)[:2])
    first_link = section.all("a")[0]["href"]
    if first == "question":
        assert first_link.endswith(questions_found(section)[0])
    if first == "rule":
        assert first_link.endswith(rules_found(section)[0])


def test_the_search_stays_in_the_match(client: Client) -> None:
    url = start(client)
    page = client.get(f"{url}/arbitro?testo=posso chiudere")
    assert page.links()["Può chiudere?"].startswith(url)


@pytest.mark.parametrize(
    "address",
    ["/arbitro/altro", "/arbitro?variante=briscola", "/arbitro/penalita?caso=niente"],
)
def test_there_is_no_other_question_and_no_other_game(client: Client, address: str) -> None:
    client.get(address, status=404)


# ---------------------------------------------------------------- one fact at a time


def test_a_question_goes_fact_by_fact_and_stops_at_the_first_that_decides(client: Client) -> None:
    """Whether the pile may be taken with a king on top."""
    page = tap_card(client, client.get("/arbitro/pozzo"), "top", "re")
    assert question_asked(page) == "Il pozzo è congelato?"
    page = tap_answer(client, page, "frozen", "yes")
    assert question_asked(page) == "Che cosa cala dalla mano insieme alla carta in cima?"

    # A frozen pile takes two natural cards (W «Presa del pozzo»), and a two is wild: who has opened
    # what makes no difference.
    page = give_answer(client, page, laid="K 2")
    assert page.one(class_="verdict")["data-verdict"] == "forbidden"
    assert verdict_word(page) == "No"
    assert page.answer.request.query_string == b"top=K&frozen=yes&laid=K+2"

    # With two kings the opening decides.
    page = client.get("/arbitro/pozzo?top=K&frozen=yes&laid=2xK")
    assert question_asked(page) == "La coppia ha già aperto?"
    page = tap_answer(client, page, "opened", "yes")
    assert verdict_word(page) == "Sì"


@pytest.mark.parametrize(("address", "verdict", "reason"), CASES["decisive_reasons"])
def test_the_decisive_reason_leads(client: Client, address: str, verdict: str, reason: str) -> None:
    """For example that the pile is frozen, and two natural kings are needed."""
    page = client.get(f"/arbitro/{address}")
    assert verdict_word(page) == verdict
    assert page.one(class_="lead-reason").text.startswith(reason)


def test_what_is_not_known_is_answered_as_far_as_it_goes(client: Client) -> None:
    page = client.get("/arbitro/scarto?variante=mini&card=8&last=no")
    assert question_asked(page) == "Quali combinazioni ha già sul tavolo la coppia?"
    page = client.get(page.links()["Non lo so"])
    assert verdict_word(page) == "Dipende"
    assert page.one(class_="ruling")["class"] == "ruling depends"


def test_all_facts_can_be_given_on_one_page(client: Client) -> None:
    page = client.get(client.get("/arbitro/pozzo").links()["Tutte le domande in una pagina"])
    facts = {"top": "K", "frozen": "yes", "laid": "2xK / 3x8", "table": ""}

    answer = client.submit(page, "Chiedi all'arbitro", **facts)
    facts_again = client.get(answer.links()["Cambia i fatti"])

    assert verdict_word(answer) == "Sì"
    assert facts_again.value_of("laid") == "2xK / 3x8"
    assert facts_again.one("input", id="frozen-yes").has("checked")


def test_cards_are_tapped_without_a_script_and_lie_by_rank(client: Client) -> None:
    """Melds are written with slashes between them: `2x8 JK` are two eights and a joker."""
    page = client.get("/arbitro/pozzo?top=K&frozen=no")
    for card in ("re", "pinella", "otto", "re", "otto", "jolly", "re"):
        page = tap_card(client, page, "laid", card)
    assert laid_cards(page) == "2x8 JK / 3xK 2"
    # The three kings of the hand and the one on top are four of 10 points, the two 20.
    with_top_card = "Con la carta in cima: 2 otto e 1 jolly (combinazione · 70 punti)"
    assert f"{with_top_card}; 4 re e 1 pinella" in page.text

    page = client.submit(page, "Nuova combinazione")
    page = tap_card(client, page, "laid", "jolly")
    assert laid_cards(page) == "2x8 JK / 3xK 2 / JK"

    page = client.submit(page, "Togli l'ultima")
    page = client.submit(page, "Togli l'ultima")
    assert laid_cards(page) == "2x8 JK / 3xK"


def laid_cards(page: Page) -> str:
    """What stands in the field of the cards laid."""
    return page.value_of("laid")


def tap_answer(client: Client, page: Page, name: str, value: str) -> Page:
    """The page after an answer was given with one tap."""
    for form in page.all("form"):
        if form.all("button", name=name, value=value):
            return client.get(form["action"], query_string=page.values(form) | {name: value})
    raise AssertionError(f"no button {name}={value}")


def tap_card(client: Client, page: Page, field: str, card: str) -> Page:
    """The page after a card was tapped on the keys of a field."""
    form = page.form("Togli l'ultima")
    for key in form.all("button", data_to=field):
        if key.texts("small") == [card]:
            return client.get(form["action"], query_string=page.values(form) | {"do": key["value"]})
    raise AssertionError(f"no key of {card}")


def test_a_single_card_that_is_tapped_is_the_answer(client: Client) -> None:
    question = client.get("/arbitro/pozzo?top=K&passo=top")
    page = tap_card(client, question, "top", "tre nero")
    assert verdict_word(page) == "No"
    assert facts_of_case(page)["Carta in cima al pozzo"] == ["tre nero"]


def test_a_score_is_tapped_as_a_step_of_the_opening(client: Client) -> None:
    """Three queens and three nines are 60 points: enough below zero and from 0 on, too few from
    1,500 on (W).
    """
    page = client.get("/arbitro/apertura?melds=3xQ 3x9")

    verdicts = {}
    for step in page.one(class_="answers").all("button"):
        query = {"melds": "3xQ 3x9", "do": step["value"]}
        verdicts[step.text] = verdict_word(client.get("/arbitro/apertura", query_string=query))

    assert verdicts == {
        "sotto zero": "Sì",
        "da 0 a 1.495": "Sì",
        "da 1.500 a 2.995": "No",
        "da 3.000 in su": "No",
    }


def test_in_a_game_with_sequences_tapped_cards_take_the_suit_that_is_chosen(client: Client) -> None:
    page = client.get("/arbitro/calata?variante=samba&cards-suit=h")
    for card in ("donna", "fante", "dieci"):
        page = tap_card(client, page, "cards", card)
    assert page.value_of("cards") == "Qh Jh 10h"
    assert "scala" in page.text
    assert not client.get("/arbitro/calata").all("input", name="cards-suit")


@pytest.mark.parametrize(("address", "field", "typed", "error"), CASES["cannot_be"])
def test_what_cannot_be_is_told_beside_its_field_and_stays_there(
    client: Client, address: str, field: str, typed: str, error: str
) -> None:
    """For example two cards where one is asked for."""
    page = give_answer(client, client.get(address), status=422, **{field: typed})
    assert error in page.errors[0]
    assert error in page.one("p", id=f"{field}-error").text
    assert page.value_of(field) == typed


def test_of_cards_that_are_too_many_to_read_the_first_ones_stay(client: Client) -> None:
    six_hundred_kings = "K " * 600
    page = give_answer(client, client.get("/arbitro/calata"), status=422, cards=six_hundred_kings)
    assert "Troppo lungo" in page.errors[0]
    assert page.value_of("cards") == six_hundred_kings[:1001]


def test_an_answer_that_lacks_something_asks_for_it(client: Client) -> None:
    page = client.get("/arbitro/pozzo?passo=risposta", status=422)
    assert page.errors == ["Scegli la carta, o scrivila."]


def test_nothing_typed_is_lost_on_the_way_back(client: Client) -> None:
    last_question = client.get("/arbitro/pozzo?top=K&frozen=yes&laid=3xK&passo=laid")

    question_before = client.get(last_question.links()["Indietro"])
    assert "chosen" in question_before.one("button", name="frozen", value="yes")["class"]

    page = tap_answer(client, question_before, "frozen", "no")
    assert question_asked(page) == "La coppia ha già aperto?"
    assert b"laid=3xK" in page.answer.request.query_string


# ---------------------------------------------------------------- rules


def test_the_game_and_its_rules_are_chosen_once_and_carried_along(client: Client) -> None:
    rules = client.get(client.get("/arbitro").links()["Cambia gioco o regole"])
    rules_of_samba = client.get(rules.links()["Samba"])

    first_page = client.submit(rules_of_samba, "Usa queste regole")
    question = client.get(first_page.links()["Questa calata vale?"])
    answer = give_answer(client, question, cards="Qh Jh 10h")

    assert "Samba" in first_page.one(class_="playing").text
    assert "Samba" in answer.one(class_="playing").text
    assert verdict_word(answer) == "Sì", "samba has sequences"


def test_a_codification_and_options_are_in_the_address(client: Client) -> None:
    chosen = {"preset": "enciclopedia", "wild_limit": "fewer-than-naturals"}
    page = client.submit("/arbitro/regole", "Usa queste regole", **chosen)
    assert "Enciclopedia" in page.one(class_="playing").text
    question = page.links()["Questa calata vale?"]
    assert question.endswith("?preset=enciclopedia&wild-limit=fewer-than-naturals")
    assert client.get("/arbitro?preset=altro").errors


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("case", CASES["page_says"].values(), ids=CASES["page_says"])
def test_the_page_of_a_question_says(client: Client, case: dict[str, Any]) -> None:
    """The texts of a case that its page shows (`says`) and does not show (`never`)."""
    match = start(client, case["match"]) if "match" in case else ""
    page = client.get(f"{match}/arbitro/{case['at']}")
    if "word" in case:
        assert verdict_word(page) == case["word"]
    for text in case.get("says", ()):
        assert text in page.text
    for text in case.get("never", ()):
        assert text not in page.text


@pytest.mark.parametrize(("address", "verdict"), CASES["one_word"])
def test_the_one_word_says_what_happens(client: Client, address: str, verdict: str) -> None:
    """For example `50 punti`, to the question how many an opening takes."""
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert verdict_word(page) == verdict


# ---------------------------------------------------------------- in a match


def test_the_match_leads_to_the_referee_that_knows_its_rules(client: Client) -> None:
    url = start(client, "samba")
    referee = client.get(client.get(url).links()["Arbitro"])
    assert referee.url == f"{url}/arbitro"
    assert "Samba" in referee.one(class_="playing").text
    assert "Cambia gioco o regole" not in referee.text


def test_in_a_match_the_score_and_the_minimum_are_known(player: Player) -> None:
    # 3 × 500 + 400 + 100 = 2.000: ninety are needed from 1.500 on (W); the others need fifty.
    player.play(hand(side(400, 0, natural=3), side(60, 0), out="a"))

    page = give_answer(player.client, player.page("arbitro/apertura"), melds="3xQ / 3x9")
    # Whose opening it is decides here: 60 points are enough for the one side only.
    assert question_asked(page) == "Di chi si parla?"

    ours = tap_answer(player.client, page, "who", "0")
    assert "Per aprire servono 90 punti, ne hai calati 60" in ours.text
    assert "2.000" in ours.text
    theirs = player.page("arbitro/apertura?who=1&melds=3xQ+/+3x9&passo=risposta")
    assert verdict_word(theirs) == "Sì"


def test_in_a_match_it_is_asked_who_it_is_about(client: Client) -> None:
    url = start(client)
    page = client.get(f"{url}/arbitro/apertura?melds=3xQ&who=7", status=422)
    assert page.errors == ["Scegli di chi si parla."]


def test_what_was_typed_of_the_open_hand_is_filled_in(player: Player) -> None:
    player.check({"a.melds": "7xQ\n4xK 2x2", "a.red_threes": "2"})

    assert question_asked(player.page("arbitro/chiusura")) == "Di chi si parla?"
    table = player.page("arbitro/chiusura?who=0&passo=table")
    red_threes = player.page("arbitro/tre-rossi?who=0&passo=count")
    with_canasta = player.page("arbitro/chiusura?who=0&passo=risposta")
    without_canasta = player.page("arbitro/chiusura?who=0&table=&passo=risposta")

    assert table.value_of("table") == "7xQ / 4xK 2x2"
    assert red_threes.value_of("count") == "2"
    assert verdict_word(with_canasta) == "Sì"
    assert verdict_word(without_canasta) == "No"


# ---------------------------------------------------------------- kept


def test_a_ruling_is_kept_with_the_hand_and_told_on_the_match_the_log_and_the_page_of_rulings(
    player: Player,
) -> None:
    question = f"{player.match}/arbitro/apertura?who=0&melds=3xQ&passo=risposta"

    page = keep_ruling(player.client, question)

    assert page.url == player.match
    assert page.notices[0] == "Decisione salvata con la smazzata 1."
    assert "Arbitro: Basta per aprire? No" in page.text
    assert "ne mancano 20" not in page.text, "on the page of the match it is a line"
    assert "Il caso" not in page.text

    log = player.page("registro").text
    assert "Decisione dell'arbitro nella smazzata 1. Basta per aprire? No" in log
    assert "Il caso: Noi; " in log
    assert "Calate per aprire: 3 donne" in log
    assert "ne mancano 20. (Wikipedia: «L'apertura»" in log

    rulings = player.page("arbitro/decisioni").text
    assert "3 donne" in rulings
    assert "«L'apertura»" in rulings

    counted = player.play(HAND_430_TO_60)
    assert "Arbitro: Basta per aprire? No" in counted.text


def test_a_kept_ruling_says_too_where_it_would_be_another(player: Player) -> None:
    """A frozen pile with a king and a wild card: only the Enciclopedia lets take it so."""
    facts = "who=0&top=K&laid=K 2&frozen=yes&opened=yes"
    answer = player.page(f"arbitro/pozzo?{facts}&passo=risposta")
    elsewhere = answer.one("ul", class_="others").text

    player.submit(answer, KEEP)

    assert elsewhere.startswith("Enciclopedia; Presa del pozzo: ")
    rulings = player.page("arbitro/decisioni")
    assert rulings.one("ul", class_="others").text == elsewhere


PENALTY_PAGE = "arbitro/penalita?caso=draw-out-of-turn"


def test_a_penalty_is_kept_with_its_side_and_waits_for_the_count(player: Player) -> None:
    refused = player.client.submit(player.page(PENALTY_PAGE), KEEP, status=422)
    assert refused.errors == ["Scegli a chi si segna la penalità, o a nessuno."]

    kept = player.submit(refused, KEEP, whose="1")
    assert kept.notices[0] == (
        "Decisione salvata, con la penalità: Loro, −100. Si conta con la smazzata."
    )
    assert player.noted == [(1, "draw-out-of-turn")]

    undone = player.submit(kept, "Annulla la decisione dell'arbitro")
    assert undone.notices == ["Decisione dell'arbitro annullata."]
    assert player.state.rulings == []
    assert player.noted == []


def test_a_ruling_is_kept_without_its_penalty(player: Player) -> None:
    player.client.submit(player.page(PENALTY_PAGE), KEEP, whose="nobody")
    assert len(player.state.rulings) == 1
    assert player.noted == []


def test_a_question_that_lacks_a_fact_is_asked_again_and_not_kept(player: Player) -> None:
    page = player.page("arbitro/pozzo?top=3b")
    without_top_card = page.form_values(KEEP) | {"asked": "frozen=yes"}

    again = player.client.post(f"{player.match}/arbitro/pozzo/tieni", without_top_card, status=422)

    assert "Che carta c'è in cima al pozzo?" in again.text
    assert player.state.rulings == []


def test_a_ruling_for_a_hand_that_was_counted_meanwhile_is_shown_again(player: Player) -> None:
    page = player.page("arbitro/calata?cards=3xK&passo=risposta")
    player.play(HAND_430_TO_60)

    refused = player.submit(page, KEEP, status=409)
    assert "Intanto la smazzata è stata contata" in refused.errors[0]
    assert verdict_word(refused) == "Sì"

    player.submit(refused, KEEP)
    (ruling,) = player.state.rulings
    assert ruling.event.number == 2


def test_what_somebody_typed_in_place_of_a_count_is_not_overwritten(player: Player) -> None:
    player.check({"b.penalties.draw-out-of-turn": "due"})
    player.client.submit(player.page(PENALTY_PAGE), KEEP, whose="1")
    assert player.draft["b.penalties.draw-out-of-turn"] == "due"
    assert player.noted == [(1, "draw-out-of-turn")]


def test_who_may_only_look_asks_but_keeps_nothing(player: Player, guest: Client) -> None:
    question = f"{player.match}/arbitro/calata?cards=3xK&passo=risposta"
    keep_ruling(player.client, question)
    player.let_in(guest, VIEW_COOKIE)

    answer = guest.get(question)
    rulings = guest.get(f"{player.match}/arbitro/decisioni")

    assert verdict_word(answer) == "Sì"
    assert KEEP not in answer.text
    assert "Togli" not in rulings.text


def test_once_the_match_is_over_there_is_nothing_to_keep(player: Player) -> None:
    page = player.page("arbitro/calata?cards=3xK&passo=risposta")
    player.end("broken-off")

    late = player.submit(page, KEEP)

    assert late.url == player.match
    assert KEEP not in player.page("arbitro/calata?cards=3xK&passo=risposta").text
    assert player.state.rulings == []


def test_what_may_go_wrong_already_is_known_to_the_catalogue() -> None:
    """A question names mistakes that may have been made already, by their codes."""
    known_codes = {irregularity.code for irregularity in irregularities(settle("classica"))}
    for question in QUESTIONS:
        for mistake in question.mistakes:
            assert mistake.code in known_codes
