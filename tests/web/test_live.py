"""What an open page asks again and again, and the match in large figures."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from scorepad.matches.access import Access, RequestId
from scorepad.matches.keys import NO_KEYS
from scorepad.storage.rows import hash_device_id
from scorepad.web.cookies import VIEW_COOKIE
from tests.web.client import Client, Page
from tests.web.player import Begin, Player
from tests.web.playing import (
    HAND_430_TO_60,
    HAND_1700_TO_60,
    HAND_MINUS_220_TO_80,
    device,
    hand,
    match_of,
    side,
)

LIST_PAGES = [
    "/",
    "/?cerca=rossi",
    "/in-corso",
    "/giocatori",
    "/giocatori/Ada",
    "/giocatori/Ada?tutte=1",
]
HANDS_TO_THE_TARGET = [HAND_1700_TO_60] * 3
"""Hands that finish a match: 5,100 to 180 points, where the target is 5,000."""
LISTS = ""
"""In place of the address of a match: the lists of matches, which share one tag, poll `/stato`."""


def poll(client: Client, url: str, known_tag: str = "") -> TestResponse:
    """Ask as an open page does whether anything has changed, and return the answer.

    Each state of a match has a tag. If it is still the known one, the answer is 304 without a body.
    """
    headers = {"Accept-Encoding": "gzip"}
    if known_tag:
        headers["If-None-Match"] = f'"{known_tag}"'
    return client.raw.get(f"{url}/stato", headers=headers)


def tag_of(client: Client, url: str) -> str:
    """Return the tag of the present state of a match, or of the lists of matches."""
    answer = poll(client, url)
    assert answer.status_code == 200
    tag = answer.json["tag"]
    assert answer.get_etag() == (tag, False)
    return str(tag)


def live_parts(page: Page) -> list[str]:
    """Return the ids of the parts of a page that its script replaces when something has changed."""
    return [part.get("id") for part in page.all() if part.has("data-live-part")]


def news_of_open_page(player: Player, page: Page) -> str:
    """Refresh an open page as its script does, and return the message what has changed since."""
    refreshed = player.client.get(page.one("main")["data-live-page"])
    return refreshed.one(id="live-moved").text


def loads_live_script(page: Page) -> bool:
    return any("/live.js" in script["src"] for script in page.all("script"))


# ------------------------------------------------------------------------------ how far it has come


def test_unchanged_match_is_answered_with_304_without_body(player: Player) -> None:
    # Every open page asks every two seconds, so the answer that nothing has changed is short. It
    # has the time of the server, and sets no cookie.
    tag = tag_of(player.client, player.match)
    no_news = poll(player.client, player.match, tag)
    assert no_news.status_code == 304
    assert no_news.data == b""
    assert re.fullmatch(r"[0-2]\d:[0-5]\d", no_news.headers["Scorepad-Clock"])
    assert "Set-Cookie" not in no_news.headers
    assert no_news.headers["Cache-Control"] == "private, no-cache"
    assert len(str(no_news.headers)) < 750

    # After a hand the answer is the new tag.
    player.play(HAND_1700_TO_60)
    news = poll(player.client, player.match, tag)
    assert news.status_code == 200
    assert len(news.data) < 40


def test_tag_changes_when_a_hand_is_begun_or_a_penalty_noted(player: Player) -> None:
    # Each state of a match has a tag. An open page asks for it again and again, and fetches itself
    # anew when it has changed.
    client = player.client
    form = player.open()
    tag_before = tag_of(client, player.match)

    # Somebody types the first figure of a hand. Other pages are to show that it was begun.
    form = player.check({"a.cards": "5"}, form)
    tag_of_begun_hand = tag_of(client, player.match)
    assert tag_of_begun_hand != tag_before

    # They do not show the figures, so that typing on changes nothing for them.
    player.check({"a.cards": "50"}, form)
    assert tag_of(client, player.match) == tag_of_begun_hand

    # A penalty is noted for the hand.
    player.note(side="1")
    answer = poll(client, player.match)
    assert answer.json["tag"] != tag_of_begun_hand

    # The answer also has a header for the forms of the hand that are open on other phones. The first
    # number counts how often something was typed, the 5 and the 50. The second one is the entry of
    # the log that notes the penalty. Entry 1 is the start of the match.
    assert answer.headers["Scorepad-Typed"] == "2:2"


def test_tag_depends_on_access_to_the_match(player: Player, guest: Client) -> None:
    url = player.match
    assert poll(guest, url).status_code == 404

    # The guest enters as a viewer. Its page has fewer buttons than the owner's, and so another tag.
    player.let_in(guest, VIEW_COOKIE)
    tag_of_viewer = tag_of(guest, url)
    assert tag_of_viewer != tag_of(player.client, url)
    assert poll(guest, url, tag_of_viewer).status_code == 304

    # Then it may keep score too: its page has to be refreshed.
    player.let_in(guest)
    assert poll(guest, url, tag_of_viewer).status_code == 200

    # It is sent out of the match.
    with player.pad.context.storage.writing() as rows:
        rows.revoke(player.match_id, hash_device_id(device(guest)))
    assert poll(guest, url, tag_of_viewer).status_code == 404


# -------------------------------------------------------------------------------- pages that follow


@pytest.mark.parametrize(
    "path",
    ["", "/tabellone", "/smazzata", "/smazzate/1/correggi", "/smazzate/1/controlla", "/controllo"],
)
def test_page_of_match_has_what_it_needs_to_follow_the_match(player: Player, path: str) -> None:
    player.play(HAND_1700_TO_60)

    page = player.client.get(player.match + path)

    # Each state of a match has a tag. The script of the page asks for it again and again at the
    # address "data-live-state". If it is another one than "data-live-tag", the script fetches the
    # page from "data-live-page".
    main = page.one("main")
    assert main["data-live-tag"] == tag_of(player.client, player.match)
    assert main["data-live-state"] == f"{player.match}/stato"
    assert main["data-live-page"] == player.match + path

    # A screen reader announces how the match stands: "After 1 hand …". Where the server does not
    # answer for some time, the page says: "What you see is from …".
    assert main["data-live-announcement"] == "Dopo 1 smazzata: Noi 1.700 e Loro 60."
    assert "Quello che vedi è delle {clock}." in main["data-live-away"]
    assert loads_live_script(page)
    assert page.one(id="live-status").text == ""

    # It then replaces the parts that may have changed, which it finds by their ids. The forms of a
    # hand need no such parts, as they have a script of their own.
    ids_of_parts = live_parts(page)
    assert "" not in ids_of_parts
    if path not in ("/smazzata", "/smazzate/1/correggi"):
        assert ids_of_parts


@pytest.mark.parametrize("path", ["/partite/nuova", "/regole"])
def test_page_outside_a_match_does_not_poll(client: Client, path: str) -> None:
    page = client.get(path)
    assert not page.one("main").has("data-live-state")
    assert not loads_live_script(page)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("arbitro", 200),
        ("arbitro/apertura", 200),
        ("arbitro/penalita?caso=draw-out-of-turn", 200),
        # "cats" are no cards
        ("arbitro/calata?cards=gatti&do=next", 422),
        # These are names of arguments that Flask's `url_for` takes for its own.
        ("arbitro/calata?endpoint=x&_scheme=javascript&_anchor=x&cards=3xK&passo=risposta", 200),
    ],
    ids=["first page", "a question", "a case", "a wrong question", "more than the question holds"],
)
def test_referee_page_reports_changed_scores(player: Player, path: str, status: int) -> None:
    # The referee ("arbitro") of a match answers questions about the rules, for which its scores
    # matter. The element "live-moved" is to say that they have changed, which they have not yet.
    page = player.page(path, status)
    assert page.one(id="live-moved").text == ""

    # Another phone saves a hand.
    player.play(HAND_1700_TO_60)

    # The script of the open page fetches this address, in place of its own. It knows which scores
    # the page has shown, and the element has a message with the new ones.
    url = page.one("main")["data-live-page"]
    assert url.startswith("/partite/")
    refreshed = player.client.get(url)
    assert "Noi 1.700" in refreshed.one(id="live-moved").text


def test_page_of_rulings_follows_the_match(player: Player) -> None:
    # The list of what the referee decided in this match is a part that the script replaces.
    main = player.page("arbitro/decisioni").one("main")
    assert main["data-live-page"].endswith("/arbitro/decisioni")
    assert main.one("div", id="rulings").has("data-live-part")


def test_refused_form_is_refreshed_from_the_match_page(player: Player) -> None:
    # Undo is pressed on a page that is out of date. The page that refuses it has the address of the
    # form, which can only be sent, not fetched.
    old_page = player.play(HAND_1700_TO_60)
    player.play(HAND_MINUS_220_TO_80)

    refused = player.submit(old_page, "Annulla", status=409)

    assert refused.one("main")["data-live-page"] == player.match


def test_polling_does_not_use_up_a_notice(player: Player) -> None:
    # Somebody undoes a hand. The page shown next says so in a notice, and a notice is shown once.
    page = player.play(HAND_1700_TO_60)
    form = page.form("Annulla")
    player.client.raw.post(form["action"], data=page.values(form))

    # Before that page is fetched, the script of another open one fetches the match.
    polled = player.client.raw.get(player.match, headers={"Scorepad-Live": "1"})
    seen_by_person = player.page()

    assert "notice" not in polled.text
    assert len(seen_by_person.notices) == 1


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("smazzata", "Questa smazzata è già stata contata"),  # "… was counted already"
        ("smazzate/1/correggi", "Questa smazzata è appena cambiata"),  # "… has just changed"
    ],
)
def test_hand_form_has_the_message_for_a_hand_saved_by_another(
    player: Player, path: str, words: str
) -> None:
    # The script shows this message when another phone has saved the hand, with a link to the match.
    player.play(HAND_1700_TO_60)
    form = player.page(path).one(id="count")
    assert form["data-overtaken"].startswith(words)
    assert form["data-overtaken-match"] == player.match


# ------------------------------------------------------------------------------ the list of matches


@pytest.mark.parametrize(
    "change",
    [
        lambda player: player.play(HAND_1700_TO_60),
        lambda player: player.correct_to(1, HAND_430_TO_60),
        lambda player: player.submit("nomi", "Salva", name_0="Rossi"),
        lambda player: player.undo("Annulla"),
    ],
    ids=["a hand", "a correction", "a name", "an undo"],
)
def test_every_change_of_a_match_changes_its_tag_and_that_of_the_lists(
    player: Player, change: Callable[[Player], object]
) -> None:
    # A match has a hand, so that there is something to correct and to undo.
    player.play(HAND_MINUS_220_TO_80)
    tag_of_match = tag_of(player.client, player.match)
    tag_of_lists = tag_of(player.client, LISTS)

    change(player)

    assert tag_of(player.client, player.match) != tag_of_match
    assert tag_of(player.client, LISTS) != tag_of_lists


def test_tag_of_lists_changes_when_a_match_is_begun_or_deleted(
    client: Client, begin: Begin
) -> None:
    # Two matches are begun, and the first one is deleted.
    client.get("/")
    tag_before = tag_of(client, LISTS)
    player = begin()
    tag_of_one_match = tag_of(client, LISTS)
    begin()
    tag_of_two_matches = tag_of(client, LISTS)
    player.pad.actions.delete(player.match_id, player.device)
    tag_of_the_other_match = tag_of(client, LISTS)

    # The four tags differ.
    tags = {tag_before, tag_of_one_match, tag_of_two_matches, tag_of_the_other_match}
    assert len(tags) == 4


def test_tag_of_lists_ignores_matches_of_others(player: Player, guest: Client) -> None:
    guest.get("/")
    tag = tag_of(guest, LISTS)

    # A hand is played in a match of another device.
    player.play(HAND_1700_TO_60)
    assert poll(guest, LISTS, tag).status_code == 304

    # The guest enters that match.
    player.let_in(guest, VIEW_COOKIE)
    assert poll(guest, LISTS, tag).status_code == 200


def test_tag_of_lists_ignores_who_enters_a_match(player: Player, guest: Client) -> None:
    # An open home page asks /stato again and again whether the tag that it knows is still that of
    # its matches. The status 304 says that nothing has changed.
    owner = player.client
    known_tag = tag_of(owner, LISTS)

    # A guest enters the match as a viewer. The home page does not show who is in a match.
    player.let_in(guest, VIEW_COOKIE)
    answer = owner.raw.get("/stato", headers={"If-None-Match": f'"{known_tag}"'})
    assert answer.status_code == 304


@pytest.mark.parametrize("path", LIST_PAGES)
def test_list_of_matches_has_what_it_needs_to_follow_them(
    client: Client, begin: Begin, path: str
) -> None:
    # One match is finished, after three hands of 1,700 points. Another one is in progress. Ada plays
    # in both.
    begin(name_0="Rossi", player_0_0="Ada").play(*HANDS_TO_THE_TARGET)
    begin(player_0_0="Ada").play(HAND_1700_TO_60)

    page = client.get(path)

    # The script of the page asks /stato again and again for the tag of the matches, and compares it
    # with that of the page.
    main = page.one("main")
    assert main["data-live-state"] == "/stato"
    assert main["data-live-tag"] == client.raw.get("/stato").json["tag"]

    # If they differ, the script fetches the page again from this address.
    refreshed = client.get(main["data-live-page"])
    assert refreshed.heading == page.heading

    # It replaces the parts that may have changed, which it finds by their ids.
    ids_of_parts = live_parts(page)
    assert ids_of_parts
    assert "" not in ids_of_parts


def test_home_page_announces_totals_of_the_match_changed_last(client: Client, begin: Begin) -> None:
    # A screen reader announces them. Without a match there is nothing to announce.
    assert client.get("/").one("main")["data-live-announcement"] == ""

    begin().play(HAND_MINUS_220_TO_80)
    begin().play(HAND_1700_TO_60)

    assert client.get("/").one("main")["data-live-announcement"] == "Noi 1.700 e Loro 60"


# --------------------------------------------------------------------------------- phones, checking


def test_phones_page_has_what_it_needs_to_follow_the_phones(player: Player) -> None:
    url = f"{player.match}/telefoni"
    main = player.client.get(url).one("main")

    # The state of the phones of a match has a tag. The script of the page asks for it at this
    # address, again and again, and compares it with that of the page.
    assert main["data-live-state"] == f"{url}/stato"
    assert main["data-live-tag"] == player.client.raw.get(f"{url}/stato").json["tag"]

    # If it is another one, the script fetches the page from this address, and shows what has
    # changed.
    assert main["data-live-page"] == url


def test_tag_of_phones_page_changes_with_phones_and_keys(player: Player, guest: Client) -> None:
    client = player.client
    devices = player.pad.devices
    match = player.match_id
    phones = f"{player.match}/telefoni"
    tags = [tag_of(client, phones)]

    # A guest enters as a viewer, then as one who keeps score, and says that it counts for Loro.
    player.let_in(guest, VIEW_COOKIE)
    tags.append(tag_of(client, phones))
    player.let_in(guest)
    tags.append(tag_of(client, phones))
    devices.set_side_and_holder(match, device(guest), 1)
    tags.append(tag_of(client, phones))

    # The owner makes a new key for viewers, and sends the guest out. Then a hand is played.
    devices.renew_key(match, device(client), Access.VIEW, NO_KEYS, RequestId("renewed"))
    tags.append(tag_of(client, phones))
    devices.remove_device(match, device(client), hash_device_id(device(guest)))
    tags.append(tag_of(client, phones))
    player.play(HAND_1700_TO_60)
    tags.append(tag_of(client, phones))

    # All seven tags differ. The last one stands, and the guest has no access any more.
    assert len(set(tags)) == 7
    assert poll(client, phones, tags[-1]).status_code == 304
    assert poll(guest, phones).status_code == 404


def test_codes_are_live_parts_for_owner_and_viewer(player: Player, guest: Client) -> None:
    player.let_in(guest, VIEW_COOKIE)

    page_of_owner = player.page("telefoni")
    page_of_viewer = guest.get(f"{player.match}/telefoni")

    # The page has a part for each code: one to keep score, one to look on.
    parts_of_codes = {"code-write", "change-write", "code-view", "change-view"}
    other_parts = {"leave", "network-open", "of-match", "reach", "seats"}
    expected_parts = parts_of_codes | other_parts
    assert expected_parts <= set(live_parts(page_of_owner))
    assert expected_parts <= set(live_parts(page_of_viewer))
    # The owner's page also has a part for each phone.
    assert {"phone-1", "phone-2"} <= page_of_owner.one("ol", class_="phones").ids()


# -------------------------------------------------------------------------------------------- forms


# An open form is not updated when another phone changes the match, but says what has changed.
KEPT_IN_FORM = "Quello che hai scritto è ancora qui."  # "What you have typed is still here."


@pytest.mark.parametrize("form", ["regole", "fine", "penalita"])
def test_open_form_reports_hands_counted_or_undone(player: Player, form: str) -> None:
    # The form, about the rules, the end or a penalty, has one part that is updated: the message.
    page = player.page(form)
    assert page.one("main")["data-live-state"] == f"{player.match}/stato"
    assert live_parts(page) == ["live-moved"]
    assert news_of_open_page(player, page) == ""

    # Another phone saves a hand: "Meanwhile the scores have changed. After 1 hand …"
    player.play(HAND_1700_TO_60)
    assert news_of_open_page(player, page) == (
        f"Intanto i conti sono cambiati. Dopo 1 smazzata: Noi 1.700 e Loro 60. {KEPT_IN_FORM}"
    )

    # Changed names do not matter to these forms.
    page = player.page(form)
    player.submit("nomi", "Salva", name_0="Rossi")
    assert news_of_open_page(player, page) == ""

    # The change of the names is undone, and then the hand: "… After 0 hands …"
    player.undo("Annulla")
    player.undo("Annulla")
    news = news_of_open_page(player, page)
    assert news.startswith("Intanto i conti sono cambiati. Dopo 0 smazzate")


@pytest.mark.parametrize("form", ["nomi", "giocatore"])
def test_open_form_about_names_reports_changed_names(player: Player, form: str) -> None:
    # The form has one part that is updated: the message.
    page = player.page(form)
    assert live_parts(page) == ["live-moved"]

    # Counted hands do not matter to these forms.
    player.play(HAND_1700_TO_60)
    assert news_of_open_page(player, page) == ""

    # Another phone changes a name: "Meanwhile the names have changed. Now Rossi play against Loro."
    player.submit("nomi", "Salva", name_0="Rossi")
    assert news_of_open_page(player, page) == (
        f"Intanto i nomi sono cambiati: ora giocano Rossi contro Loro. {KEPT_IN_FORM}"
    )


@pytest.mark.parametrize("path", ["annulla", "smazzate/1/annotazione"])
def test_open_form_about_a_hand_reports_its_changed_note(player: Player, path: str) -> None:
    # A match has one hand. Somebody opens the form to undo it ("annulla"), or that for its note
    # ("annotazione").
    player.play(HAND_1700_TO_60)
    page = player.page(path)
    assert news_of_open_page(player, page) == ""

    # Another phone writes the note "what a hand". The open page says "Meanwhile a note has changed.
    # What you have typed is still here."
    player.submit("smazzate/1/annotazione", "Salva", text="che mano")
    news = news_of_open_page(player, page)
    assert news == ("Intanto è cambiata un'annotazione. Quello che hai scritto è ancora qui.")

    # The button "Annulla" of the page of the match undoes what was done last: first the note, and
    # then the hand. The open page says "Meanwhile the scores have changed. After 0 hands …"
    player.undo("Annulla")
    player.undo("Annulla")
    news = news_of_open_page(player, page)
    assert news.startswith("Intanto i conti sono cambiati. Dopo 0 smazzate")


def test_open_page_to_delete_shows_the_current_score(player: Player) -> None:
    # While somebody is asked whether to delete the match, another phone saves a hand.
    before = player.page("cancella").one("main")
    player.play(HAND_1700_TO_60)

    # The page shows that score: "Points: 1,700 to 60".
    now = player.client.get(before["data-live-page"]).one("main")
    assert before["data-live-tag"] != now["data-live-tag"]
    deleting = now.one("div", id="deleting")
    assert deleting.has("data-live-part")
    assert "Punti: 1.700 a 60" in deleting.text


@pytest.mark.parametrize("form", ["fine", "penalita"])
def test_open_form_reports_the_end_of_the_match(player: Player, form: str) -> None:
    # Somebody opens the form to end the match ("fine"), or that for a penalty. Meanwhile another
    # phone saves three hands of 1,700 points, by which the match reaches its target of 5,000.
    page = player.page(form)
    player.play(*HANDS_TO_THE_TARGET)

    # The script fetches the form again. It says "Meanwhile the match has ended. After 3 hands …"
    news = news_of_open_page(player, page)
    assert news.startswith("Intanto la partita è finita. Dopo 3 smazzate:")

    # A person who opens the form of a finished match is sent elsewhere, and the next page shows a
    # notice of it. The script has left no such notice for the next page.
    next_page = player.client.get("/")
    assert next_page.notices == []


@pytest.mark.parametrize("entry_seen", ["0", "-3", "x", "999999999999999999999", ""])
def test_invalid_number_of_the_entry_seen_is_ignored(player: Player, entry_seen: str) -> None:
    # From the address of a refreshed form the server knows which entry of the log was the last one
    # when the form was opened. "visto" means "seen".
    assert player.page(f"fine?visto={entry_seen}").title == player.page("fine").title


# ---------------------------------------------------------------------------------------- the board


# The board ("Tabellone") is the match in large figures, for a screen that the whole table sees.


def board_sides(page: Page) -> list[str]:
    """Return what the board shows of each side: its name, its total, and what it opens with."""
    return page.texts("section", class_="board-side")


def board_facts(page: Page) -> list[str]:
    """Return the lines below: the number of the hand, who deals, and who leads."""
    return page.one(id="board-facts").texts("p")


def test_board_shows_totals_openings_dealer_and_leader(begin: Begin) -> None:
    player = begin(player_0_0="Ada", player_1_0="Eva")
    page = player.page("tabellone")
    assert page.heading == "Tabellone: Noi contro Loro"
    assert page.links()["Torna alla partita"] == player.match

    # A side opens when it lays its first cards in a hand, which takes 50 points at first. Ada
    # deals.
    assert board_sides(page) == ["Noi 0 Apre con 50", "Loro 0 Apre con 50"]
    assert board_facts(page) == ["Smazzata 1", "Dà le carte Ada (Noi)"]

    # After 60 points for each the sides are level.
    player.play(hand(side(100, 40), side(100, 40)))
    assert board_facts(player.page("tabellone"))[-1] == "Alla pari: Noi e Loro"

    # Then Noi have 60 + 1,700, more than 1,500, and open with 90. Loro have 60 + 60.
    player.play(HAND_1700_TO_60)
    page = player.page("tabellone")
    assert board_sides(page) == ["Noi 1.760 Apre con 90", "Loro 120 Apre con 50"]
    assert board_facts(page) == [
        "Smazzata 3",
        "Dà le carte Noi, giocatore 2",  # "player 2 of Noi deals"
        "Noi avanti di 1.640",  # "Noi ahead by 1,640"
    ]


def test_board_of_finished_match_shows_winner_and_rematch(player: Player, guest: Client) -> None:
    player.let_in(guest, VIEW_COOKIE)
    finished = player.play(*HANDS_TO_THE_TARGET)

    # "We have won", because the "target 5,000" is "reached".
    page = player.page("tabellone")
    assert board_sides(page) == ["Noi 5.100 vittoria", "Loro 180"]
    who_won, how = board_facts(page)
    assert who_won == "Abbiamo vinto noi: 5.100 a 180"
    assert how.startswith("Traguardo 5.000 raggiunto")
    assert "rivincita" not in page.text

    # The owner begins a rematch ("rivincita"). On both phones "Open it" leads to its board.
    rematch = player.submit(finished, "Rivincita").url
    for phone in (player.client, guest):
        link = phone.get(f"{player.match}/tabellone").links()["Aprila"]
        assert link == f"{rematch}/tabellone"
        assert phone.get(link).heading == "Tabellone: Noi contro Loro"

    # The rematch is deleted, and the link is gone too.
    player.pad.actions.delete(match_of(rematch), player.device)
    assert "rivincita" not in player.page("tabellone").text


def test_board_of_three_names_leader_and_second(begin: Begin) -> None:
    # Two hands are alike. Ada gets 100 for cards laid, Bea −250 for cards left in hand, and Cleo
    # 600: a mixed canasta 300, cards 200, going out 100.
    player = begin("tre", name_0="Ada", name_1="Bea", name_2="Cleo")
    sides = {"a": side(cards=100), "b": side(left=250), "c": side(cards=200, mixed=1)}
    hand_of_three = {"sides": sides, "out": {"side": "c"}}
    player.play(hand_of_three, hand_of_three)

    page = player.page("tabellone")

    ada, bea, cleo = board_sides(page)
    assert ada.startswith("Ada 200 ")
    assert bea.startswith("Bea −500 ")
    assert cleo.startswith("Cleo 1.200 ")
    assert board_facts(page)[-1] == "Cleo avanti di 1.000 su Ada"  # "ahead of Ada by 1.000"
