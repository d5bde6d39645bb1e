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
SAVE_RULING = "Salva la decisione"  # "Save the ruling"


def answer_question(client: Client, page: Page, status: int = 200, **typed: str) -> Page:
    """The page after this was typed and "go on" was pressed."""
    return client.submit(page, "Avanti", status, **typed)


# ---------------------------------------------------------------- the questions


def test_first_page_lists_the_questions(client: Client) -> None:
    page = client.get(client.get("/").links()["Arbitro"])
    assert page.texts("a", class_="tile") == CASES["asked"]
    assert "Canasta classica" in page.text


def test_first_page_links_to_a_draw_out_of_turn(client: Client) -> None:
    first_page = client.get("/arbitro")

    page = client.get(first_page.links()["Pescata fuori turno"])

    ruling = page.one(class_="ruling").texts("p")
    assert "restano scoperte accanto al giocatore" in ruling[0]  # "stay face up beside the player"
    assert ruling[1] == "−100"
    assert verdict_word(page) == "−100"
    assert "Calcolo delle penalità" in page.text


@pytest.mark.parametrize(("mistake", "answer", "verdict"), CASES["mistakes"])
def test_mistake_asks_for_what_decides_its_remedy(
    client: Client, mistake: str, answer: str, verdict: str
) -> None:
    """For example a red three that was not laid down: whether the hand goes on."""
    question = client.get(client.get("/arbitro").links()[mistake])
    page = client.get(question.links()[answer])
    assert verdict_word(page) == verdict


def test_mistake_without_a_question_is_not_found(client: Client) -> None:
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


def test_search_finds_rules_too(client: Client) -> None:
    page = client.get("/arbitro?testo=pozzo congelato")  # "frozen pile"
    rule = "Una matta scartata o scoperta congela il pozzo per tutti"
    assert rule in page.one("ul", class_="rules-found").text

    # "All that the rulebook says"
    search_of_rulebook = client.get(page.links()["Tutto quello che dice il regolamento"])
    assert search_of_rulebook.url.startswith("/regole/cerca")


def test_search_without_a_result_says_so(client: Client) -> None:
    page = client.get("/arbitro?testo=zanzibar")
    assert "nessuna regola ne parla" in page.text  # "no rule speaks of it"


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
def test_search_lists_the_right_question_and_rule_first(
    visit: Visit, language: str, search: str, first: str, questions: str, rules: str
) -> None:
    """`questions` and `rules` are the right ones, separated by blanks, or empty; `first` says which
    of the two stands first on the page.
    """
    page = visit(language).get("/arbitro", query_string={"testo": search})
    section = page.one("section", class_="found-here")
    found_questions = questions_found(section)
    found_rules = rules_found(section)
    first_link = section.all("a")[0]["href"]

    if questions:
        assert found_questions[0] in questions.split()
    if rules:
        right_rules = set(rules.split())
        assert right_rules & set(found_rules[:2])
    if first == "question":
        assert first_link.endswith(found_questions[0])
    if first == "rule":
        assert first_link.endswith(found_rules[0])


def test_search_in_a_match_links_into_the_match(client: Client) -> None:
    url = start(client)
    page = client.get(f"{url}/arbitro?testo=posso chiudere")
    assert page.links()["Può chiudere?"].startswith(url)


@pytest.mark.parametrize(
    "address",
    ["/arbitro/altro", "/arbitro?variante=briscola", "/arbitro/penalita?caso=niente"],
)
def test_unknown_question_or_game_is_not_found(client: Client, address: str) -> None:
    client.get(address, status=404)


# ---------------------------------------------------------------- one fact at a time


def test_question_ends_at_the_first_fact_that_decides(client: Client) -> None:
    """A frozen pile is only taken with two natural cards, and a two is wild: whether the side has
    opened makes no difference.
    """
    page = tap_card(client, client.get("/arbitro/pozzo"), "top", "re")
    assert question_asked(page) == "Il pozzo è congelato?"  # "Is the pile frozen?"
    page = tap_answer(client, page, "frozen", "yes")
    # "What is laid from the hand together with the top card?"
    assert question_asked(page) == "Che cosa cala dalla mano insieme alla carta in cima?"

    page = answer_question(client, page, laid="K 2")
    assert page.one(class_="verdict")["data-verdict"] == "forbidden"
    assert verdict_word(page) == "No"
    assert page.answer.request.query_string == b"top=K&frozen=yes&laid=K+2"


def test_question_goes_on_while_nothing_decides(client: Client) -> None:
    """A frozen pile may be taken with two kings by a side that has opened."""
    page = client.get("/arbitro/pozzo?top=K&frozen=yes&laid=2xK")
    assert question_asked(page) == "La coppia ha già aperto?"  # "Has the pair opened already?"
    page = tap_answer(client, page, "opened", "yes")
    assert verdict_word(page) == "Sì"


@pytest.mark.parametrize(("address", "verdict", "reason"), CASES["decisive_reasons"])
def test_decisive_reason_comes_first(
    client: Client, address: str, verdict: str, reason: str
) -> None:
    """For example that the pile is frozen, and two natural kings are needed."""
    page = client.get(f"/arbitro/{address}")
    assert verdict_word(page) == verdict
    assert page.one(class_="lead-reason").text.startswith(reason)


def test_unknown_fact_gives_a_conditional_answer(client: Client) -> None:
    page = client.get("/arbitro/scarto?variante=mini&card=8&last=no")
    # "Which melds does the pair have on the table?"
    assert question_asked(page) == "Quali combinazioni ha già sul tavolo la coppia?"
    page = client.get(page.links()["Non lo so"])  # "I do not know"
    assert verdict_word(page) == "Dipende"
    assert page.one(class_="ruling")["class"] == "ruling depends"


def test_all_facts_can_be_given_on_one_page(client: Client) -> None:
    all_questions_on_one_page = "Tutte le domande in una pagina"
    first_question = client.get("/arbitro/pozzo")
    page = client.get(first_question.links()[all_questions_on_one_page])
    facts = {"top": "K", "frozen": "yes", "laid": "2xK / 3x8", "table": ""}

    answer = client.submit(page, "Chiedi all'arbitro", **facts)
    facts_again = client.get(answer.links()["Cambia i fatti"])

    assert verdict_word(answer) == "Sì"
    assert facts_again.value_of("laid") == "2xK / 3x8"
    assert facts_again.one("input", id="frozen-yes").has("checked")


def test_tapped_cards_are_sorted_into_melds_by_rank(client: Client) -> None:
    """A slash separates melds: `2x8 JK / 3xK 2` are two eights and a joker, three kings and a two."""
    page = client.get("/arbitro/pozzo?top=K&frozen=no")
    page = tap_cards(client, page, "laid", "re pinella otto re otto jolly re")
    assert laid_cards(page) == "2x8 JK / 3xK 2"
    # With the top card, a king. 2 eights 20, joker 50.
    with_top_card = "Con la carta in cima: 2 otto e 1 jolly (combinazione · 70 punti)"
    assert f"{with_top_card}; 4 re e 1 pinella" in page.text


def test_new_meld_and_removal_of_tapped_cards(client: Client) -> None:
    page = client.get("/arbitro/pozzo?top=K&frozen=no&passo=laid&laid=2x8 JK / 3xK 2")

    page = client.submit(page, "Nuova combinazione")
    page = tap_card(client, page, "laid", "jolly")
    assert laid_cards(page) == "2x8 JK / 3xK 2 / JK"

    page = client.submit(page, "Togli l'ultima")  # "Remove the last one"
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
    """The page after a card, by its Italian name, was tapped on the keys of a field."""
    form = page.form("Togli l'ultima")
    for key in form.all("button", data_to=field):
        if key.texts("small") == [card]:
            return client.get(form["action"], query_string=page.values(form) | {"do": key["value"]})
    raise AssertionError(f"no key of {card}")


def tap_cards(client: Client, page: Page, field: str, cards: str) -> Page:
    """The page after these cards, by their Italian names, were tapped one by one."""
    for card in cards.split():
        page = tap_card(client, page, field, card)
    return page


def test_tapping_a_single_card_answers_the_question(client: Client) -> None:
    question = client.get("/arbitro/pozzo?top=K&passo=top")
    page = tap_card(client, question, "top", "tre nero")
    assert verdict_word(page) == "No"
    assert facts_of_case(page)["Carta in cima al pozzo"] == ["tre nero"]


def test_tapping_a_score_range_answers_the_opening(client: Client) -> None:
    """3 queens and 3 nines are 60 points. An opening needs 15 below zero, 50 from 0 on, 90 from
    1,500 on and 120 from 3,000 on.
    """
    page = client.get("/arbitro/apertura?melds=3xQ 3x9")

    verdicts = {}
    for button in page.one(class_="answers").all("button"):
        query = {"melds": "3xQ 3x9", "do": button["value"]}
        verdicts[button.text] = verdict_word(client.get("/arbitro/apertura", query_string=query))

    assert verdicts == {
        "sotto zero": "Sì",  # below zero
        "da 0 a 1.495": "Sì",
        "da 1.500 a 2.995": "No",
        "da 3.000 in su": "No",
    }


def test_tapped_cards_have_the_chosen_suit_in_samba(client: Client) -> None:
    """Samba has sequences, in which the suit counts; classica has none."""
    page = client.get("/arbitro/calata?variante=samba&cards-suit=h")
    page = tap_cards(client, page, "cards", "donna fante dieci")
    assert page.value_of("cards") == "Qh Jh 10h"
    assert "scala" in page.text  # a sequence
    in_classica = client.get("/arbitro/calata")
    assert not in_classica.all("input", name="cards-suit")


@pytest.mark.parametrize(("address", "field", "typed", "error"), CASES["cannot_be"])
def test_invalid_answer_is_refused_and_kept(
    client: Client, address: str, field: str, typed: str, error: str
) -> None:
    """For example two cards where one is asked for."""
    page = answer_question(client, client.get(address), status=422, **{field: typed})
    assert error in page.errors[0]
    assert error in page.one("p", id=f"{field}-error").text
    assert page.value_of(field) == typed


def test_too_many_cards_are_refused_and_cut(client: Client) -> None:
    six_hundred_kings = "K " * 600
    page = answer_question(
        client, client.get("/arbitro/calata"), status=422, cards=six_hundred_kings
    )
    assert "Troppo lungo" in page.errors[0]
    assert page.value_of("cards") == six_hundred_kings[:1001]


def test_missing_fact_is_asked_for(client: Client) -> None:
    page = client.get("/arbitro/pozzo?passo=risposta", status=422)
    assert page.errors == ["Scegli la carta, o scrivila."]  # "Choose the card, or write it."


def test_going_back_keeps_the_later_answers(client: Client) -> None:
    last_question = client.get("/arbitro/pozzo?top=K&frozen=yes&laid=3xK&passo=laid")

    question_before = client.get(last_question.links()["Indietro"])  # "back"
    assert "chosen" in question_before.one("button", name="frozen", value="yes")["class"]

    page = tap_answer(client, question_before, "frozen", "no")
    assert question_asked(page) == "La coppia ha già aperto?"  # "Has the pair opened already?"
    assert b"laid=3xK" in page.answer.request.query_string


# ---------------------------------------------------------------- rules


def test_chosen_game_is_kept_on_the_following_pages(client: Client) -> None:
    referee = client.get("/arbitro")
    rules = client.get(referee.links()["Cambia gioco o regole"])  # "Change game or rules"
    rules_of_samba = client.get(rules.links()["Samba"])

    first_page = client.submit(rules_of_samba, "Usa queste regole")  # "Use these rules"
    question = client.get(first_page.links()["Questa calata vale?"])  # "Is this meld legal?"
    answer = answer_question(client, question, cards="Qh Jh 10h")

    assert "Samba" in first_page.one(class_="playing").text
    assert "Samba" in answer.one(class_="playing").text
    assert verdict_word(answer) == "Sì", "samba has sequences"


def test_chosen_rules_are_in_the_address(client: Client) -> None:
    chosen = {"preset": "enciclopedia", "wild_limit": "fewer-than-naturals"}
    page = client.submit("/arbitro/regole", "Usa queste regole", **chosen)
    assert "Enciclopedia" in page.one(class_="playing").text
    question = page.links()["Questa calata vale?"]
    assert question.endswith("?preset=enciclopedia&wild-limit=fewer-than-naturals")
    assert client.get("/arbitro?preset=altro").errors


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("case", CASES["page_says"].values(), ids=CASES["page_says"])
def test_page_of_question_shows_texts(client: Client, case: dict[str, Any]) -> None:
    """The texts of a case that its page shows (`says`) and does not show (`never`); `match`: the
    variant of a match in which it is asked.
    """
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
    """For example `50 punti`, to the question how many an opening takes."""
    page = client.get(f"/arbitro/{address}&passo=risposta")
    assert verdict_word(page) == verdict


# ---------------------------------------------------------------- in a match


def test_referee_of_a_match_uses_its_rules(client: Client) -> None:
    url = start(client, "samba")
    referee = client.get(client.get(url).links()["Arbitro"])
    assert referee.url == f"{url}/arbitro"
    assert "Samba" in referee.one(class_="playing").text
    assert "Cambia gioco o regole" not in referee.text


def test_referee_of_a_match_knows_the_scores(player: Player) -> None:
    """60 points, of 3 queens and 3 nines, are enough for the side that has 60 points and not for
    the one that has 2,000, which needs 90.
    """
    # 3 natural canastas 1500, cards 400, going out 100.
    player.play(hand(side(cards=400, natural=3), side(cards=60), out="a"))

    page = answer_question(player.client, player.page("arbitro/apertura"), melds="3xQ / 3x9")
    assert question_asked(page) == "Di chi si parla?"  # "Who is it about?"

    of_noi = tap_answer(player.client, page, "who", "0")
    assert "Per aprire servono 90 punti, ne hai calati 60" in of_noi.text
    assert "2.000" in of_noi.text
    of_loro = player.page("arbitro/apertura?who=1&melds=3xQ+/+3x9&passo=risposta")
    assert verdict_word(of_loro) == "Sì"


def test_referee_of_a_match_refuses_an_unknown_side(client: Client) -> None:
    url = start(client)
    page = client.get(f"{url}/arbitro/apertura?melds=3xQ&who=7", status=422)
    assert page.errors == ["Scegli di chi si parla."]  # "Choose who it is about."


def test_facts_are_filled_in_from_the_open_hand(player: Player) -> None:
    player.check({"a.melds": "7xQ\n4xK 2x2", "a.red_threes": "2"})

    table = player.page("arbitro/chiusura?who=0&passo=table")
    red_threes = player.page("arbitro/tre-rossi?who=0&passo=count")

    assert table.value_of("table") == "7xQ / 4xK 2x2"
    assert red_threes.value_of("count") == "2"


def test_going_out_is_judged_by_the_melds_of_the_open_hand(player: Player) -> None:
    """Seven queens are the canasta that going out needs."""
    player.check({"a.melds": "7xQ\n4xK 2x2", "a.red_threes": "2"})

    question = player.page("arbitro/chiusura")
    with_canasta = player.page("arbitro/chiusura?who=0&passo=risposta")
    without_canasta = player.page("arbitro/chiusura?who=0&table=&passo=risposta")

    assert question_asked(question) == "Di chi si parla?"  # "Who is it about?"
    assert verdict_word(with_canasta) == "Sì"
    assert verdict_word(without_canasta) == "No"


# ---------------------------------------------------------------- kept


def test_saved_ruling_is_shown_on_match_log_and_page_of_rulings(player: Player) -> None:
    """Three queens are 30 points, and 50 are needed to open."""
    page = player.submit("arbitro/apertura?who=0&melds=3xQ&passo=risposta", SAVE_RULING)

    assert page.url == player.match
    assert page.notices[0] == "Decisione salvata con la smazzata 1."  # "Ruling saved with hand 1."
    short_ruling = "Basta per aprire? No"  # "Is it enough to open? No"
    assert f"Arbitro: {short_ruling}" in page.text
    assert "ne mancano 20" not in page.text, "the reason is not told there"
    assert "Il caso" not in page.text, "neither are the facts"

    log = player.page("registro").text
    assert f"Decisione dell'arbitro nella smazzata 1. {short_ruling}" in log
    assert "Il caso: Noi; " in log
    assert "Calate per aprire: 3 donne" in log
    assert "ne mancano 20. (Wikipedia: «L'apertura»" in log  # 20 points are missing

    rulings = player.page("arbitro/decisioni").text
    assert "3 donne" in rulings
    assert "«L'apertura»" in rulings

    after_the_hand = player.play(HAND_430_TO_60)
    assert f"Arbitro: {short_ruling}" in after_the_hand.text


def test_saved_ruling_shows_where_it_would_differ(player: Player) -> None:
    """Only by the rules of the Enciclopedia a frozen pile is taken with a king and a wild card."""
    facts = "who=0&top=K&laid=K 2&frozen=yes&opened=yes"
    answer = player.page(f"arbitro/pozzo?{facts}&passo=risposta")
    elsewhere = answer.one("ul", class_="others").text

    player.submit(answer, SAVE_RULING)

    assert elsewhere.startswith("Enciclopedia; Presa del pozzo: ")
    rulings = player.page("arbitro/decisioni")
    assert rulings.one("ul", class_="others").text == elsewhere


DRAW_OUT_OF_TURN = "arbitro/penalita?caso=draw-out-of-turn"


def test_ruling_is_saved_with_a_penalty_for_a_side(player: Player) -> None:
    refused = player.submit(DRAW_OUT_OF_TURN, SAVE_RULING, status=422)
    # The side has to be chosen, or nobody.
    assert refused.errors == ["Scegli a chi si segna la penalità, o a nessuno."]

    saved = player.submit(refused, SAVE_RULING, whose="1")
    assert saved.notices[0] == (
        # saved with a penalty of 100 for the second side
        "Decisione salvata, con la penalità: Loro, −100. Si conta con la smazzata."
    )
    assert player.noted == [(1, "draw-out-of-turn")]


def test_undo_of_a_ruling_removes_its_penalty(player: Player) -> None:
    saved = player.submit(DRAW_OUT_OF_TURN, SAVE_RULING, whose="1")

    # "Undo the ruling of the referee"
    undone = player.submit(saved, "Annulla la decisione dell'arbitro")

    assert undone.notices == ["Decisione dell'arbitro annullata."]
    assert player.state.rulings == []
    assert player.noted == []


def test_ruling_is_saved_without_a_penalty(player: Player) -> None:
    player.submit(DRAW_OUT_OF_TURN, SAVE_RULING, whose="nobody")
    assert len(player.state.rulings) == 1
    assert player.noted == []


def test_ruling_that_lacks_a_fact_is_not_saved(player: Player) -> None:
    page = player.page("arbitro/pozzo?top=3b")
    without_top_card = page.form_values(SAVE_RULING) | {"asked": "frozen=yes"}

    save_url = f"{player.match}/arbitro/pozzo/tieni"
    question = player.client.post(save_url, without_top_card, status=422)

    assert "Che carta c'è in cima al pozzo?" in question.text  # "Which card is on top of the pile?"
    assert player.state.rulings == []


def test_ruling_for_a_hand_saved_meanwhile_is_refused_once(player: Player) -> None:
    page = player.page("arbitro/calata?cards=3xK&passo=risposta")
    player.play(HAND_430_TO_60)

    refused = player.submit(page, SAVE_RULING, status=409)
    # "Meanwhile the hand was counted"
    assert "Intanto la smazzata è stata contata" in refused.errors[0]
    assert verdict_word(refused) == "Sì"

    player.submit(refused, SAVE_RULING)
    (ruling,) = player.state.rulings
    assert ruling.event.number == 2


def test_saved_penalty_does_not_overwrite_the_draft(player: Player) -> None:
    player.check({"b.penalties.draw-out-of-turn": "due"})  # "two", which is no number
    player.submit(DRAW_OUT_OF_TURN, SAVE_RULING, whose="1")
    assert player.draft["b.penalties.draw-out-of-turn"] == "due"
    assert player.noted == [(1, "draw-out-of-turn")]


def test_viewer_may_ask_but_not_save(player: Player, guest: Client) -> None:
    question = "arbitro/calata?cards=3xK&passo=risposta"
    player.submit(question, SAVE_RULING)
    player.let_in(guest, VIEW_COOKIE)

    answer = guest.get(f"{player.match}/{question}")
    rulings = guest.get(f"{player.match}/arbitro/decisioni")

    assert verdict_word(answer) == "Sì"
    assert SAVE_RULING not in answer.text
    assert "Togli" not in rulings.text, "no button that removes a ruling"


def test_no_ruling_is_saved_after_the_end(player: Player) -> None:
    page = player.page("arbitro/calata?cards=3xK&passo=risposta")
    player.end("broken-off")

    late = player.submit(page, SAVE_RULING)

    assert late.url == player.match
    assert SAVE_RULING not in player.page("arbitro/calata?cards=3xK&passo=risposta").text
    assert player.state.rulings == []


def test_mistakes_of_questions_are_known_irregularities() -> None:
    """A question names, by their codes, the mistakes that may have been made already."""
    known_codes = {irregularity.code for irregularity in irregularities(settle("classica"))}
    for question in QUESTIONS:
        for mistake in question.mistakes:
            assert mistake.code in known_codes
