"""Searches as people type or dictate them in the middle of a hand, and what answers them.

The verb often stands first and in the first person, accents are missing, and a figure or the cards
held follow.
"""

from __future__ import annotations

from typing import NamedTuple

QUESTION, RULE = "question", "rule"


class Typed(NamedTuple):
    """A search, and what answers it.

    `first`: whether the page shows a question or a rule first; empty where either helps.
    `question`: the names of questions and irregularities of which one stands first among them.
    `rules`: the places in the rulebook of which one is among the first two rules.
    """

    asked: str
    first: str
    question: tuple[str, ...]
    rules: tuple[str, ...]
    language: str = "it"


def _italian(asked: str, first: str, question: str = "", *rules: str) -> Typed:
    return Typed(asked, first, tuple(question.split()), rules)


def _english(asked: str, first: str, question: str = "", *rules: str) -> Typed:
    return Typed(asked, first, tuple(question.split()), rules, "en")


TYPED = [
    # going out
    _italian(
        "posso chiudere con due canaste sporche", QUESTION, "chiusura", "regola-canastas-needed"
    ),
    _italian("quante canaste per chiudere", RULE, "chiusura", "regola-canastas-needed"),
    _italian("due canaste bastano per chiudere", QUESTION, "chiusura", "regola-canastas-needed"),
    _italian("chiudiamo con una canasta sola", QUESTION, "chiusura", "regola-canastas-needed"),
    _italian("chiudo senza scartare", QUESTION, "chiusura", "regola-last-discard"),
    _italian("posso chiudere con il due", QUESTION, "chiusura", "regola-last-discard-special"),
    _italian("chiudo in mano quanto prendo", "", "", "regola-concealed-out-bonus"),
    _italian("il mio compagno non vuole che chiudo", QUESTION, "permesso", "regola-permission"),
    _italian("devo dire al compagno che chiudo", QUESTION, "permesso", "regola-permission"),
    # opening
    _italian("apro con 45 punti", QUESTION, "apertura", "regola-opening-steps"),
    _italian("apriamo con 90", QUESTION, "apertura", "regola-opening-steps"),
    _italian("posso aprire con 3 assi e un jolly", QUESTION, "apertura"),
    _italian("abbiamo 1600 punti con quanto apriamo", RULE, "apertura", "regola-opening-steps"),
    _italian(
        "siamo a -200 con quanto apriamo",
        RULE,
        "apertura",
        "regola-opening-below-zero",
        "regola-opening-steps",
    ),
    _italian("apro col pozzo", QUESTION, "apertura-pozzo", "regola-opening-pile", "regola-pile"),
    _italian(
        "ho calato ma non arrivavo a 50",
        QUESTION,
        "opening-under-minimum",
        "penalita-opening-under-minimum",
    ),
    # the pile
    _italian(
        "prendo il pozzo con un re e un jolly",
        QUESTION,
        "pozzo",
        "regola-pile",
        "regola-pile-naturals",
    ),
    _italian("jolly sul pozzo", "", "pozzo scarto", "regola-freezing", "regola-pile-tops"),
    _italian(
        "perche non posso prendere il pozzo", QUESTION, "pozzo", "regola-pile", "regola-pile-tops"
    ),
    _italian(
        "il pozo e gelato posso prenderlo",
        QUESTION,
        "pozzo",
        "regola-freezing",
        "regola-pile-naturals-frozen",
    ),
    _italian(
        "come scongelo il pozzo", "", "pozzo", "regola-freezing", "regola-pile-naturals-frozen"
    ),
    # drawing and discarding
    _italian("pesco due carte", RULE, "", "regola-drawn"),
    _italian(
        "ho pescato prima del mio turno", QUESTION, "draw-out-of-turn", "penalita-draw-out-of-turn"
    ),
    _italian("scarto un jolly", QUESTION, "scarto", "regola-freezing"),
    _italian("butto una pinella", QUESTION, "scarto", "regola-freezing"),
    _italian(
        "scarto il tre nero e blocco il pozzo", QUESTION, "scarto", "regola-black-three-discarded"
    ),
    _italian("finite le carte del mazzo", QUESTION, "tallone", "regola-end-of-stock"),
    # melds
    _italian("calo tre assi", QUESTION, "calata"),
    _italian("metto giu tre neri", QUESTION, "calata", "regola-black-threes"),
    _italian(
        "attacco una pinella alla canasta pulita", QUESTION, "calata", "regola-wild-on-canasta"
    ),
    _italian("posso attaccare sulle carte degli altri", QUESTION, "calata", "detto-meld-lay-off"),
    _italian("quanti jolly posso mettere in una canasta", RULE, "calata", "regola-wild-limit"),
    _italian("posso usare 4 pinelle e 3 re", QUESTION, "calata"),
    # threes, first card, values
    _italian(
        "ho pescato un tre rosso", "", "", "regola-red-threes-kept", "detto-red-three-replaced"
    ),
    _italian(
        "mi e rimasto un tre rosso in mano",
        QUESTION,
        "red-three-not-exposed",
        "regola-held-red-three",
    ),
    _italian("tre rossi ma non abbiamo aperto", "", "tre-rossi", "regola-red-threes-otherwise"),
    _italian("quanti punti mi da il tre rosso", RULE, "tre-rossi", "regola-red-three-values"),
    _italian(
        "esce un tre rosso come prima carta",
        QUESTION,
        "prima-carta",
        "regola-upcard-red-three",
        "regola-upcard",
    ),
    _italian("quanto vale la canasta di assi", RULE, "", "regola-canastas"),
    _italian("chi comincia", RULE, "", "detto-first-player"),
    _italian("pago le carte che ho in mano", RULE, "", "regola-cards-left"),
    # dictated, with the circumstance first, or by people who spell as they speak
    _italian(
        "posso chiudere se ho solo una canasta", QUESTION, "chiusura", "regola-canastas-needed"
    ),
    _italian(
        "posso chiudere buttando un jolly", QUESTION, "chiusura", "regola-last-discard-special"
    ),
    _italian("chiudo di mano quanti punti", RULE, "chiusura", "regola-concealed-out-bonus"),
    _italian("con quante canaste si chiude", RULE, "chiusura", "regola-canastas-needed"),
    _italian(
        "ho chiuso ma il mio compagno ha detto no",
        QUESTION,
        "out-after-no",
        "penalita-out-after-no",
    ),
    _italian("ho chiesto il permesso e poi non ho chiuso", QUESTION, "permission-then-no-out"),
    _italian("apro con 120 punti ma ne ho 3100", QUESTION, "apertura", "regola-opening-steps"),
    _italian(
        "ho aperto con 40 punti", QUESTION, "opening-under-minimum apertura", "regola-opening-steps"
    ),
    _italian(
        "posso aprire con una canasta",
        QUESTION,
        "apertura",
        "detto-opening-counts",
        "regola-opening-steps",
    ),
    _italian(
        "posso aprire e chiudere nello stesso turno",
        QUESTION,
        "apertura chiusura",
        "regola-concealed-out",
    ),
    _italian(
        "posso prendere il pozzo se non ho aperto",
        QUESTION,
        "apertura-pozzo pozzo",
        "regola-opening-pile",
    ),
    _italian(
        "con una coppia di sette prendo il pozzo",
        QUESTION,
        "pozzo",
        "regola-pile",
        "regola-pile-top-laid-off",
    ),
    _italian("pozzo gelato con un asso e un jolly", QUESTION, "pozzo", "regola-freezing"),
    _italian("posso prendere il pozo con due cuatro", QUESTION, "pozzo", "regola-pile"),
    _italian("il pozzo e bloccato", QUESTION, "pozzo", "regola-freezing"),
    _italian(
        "prima carta del pozzo jolly",
        QUESTION,
        "prima-carta",
        "regola-upcard",
        "regola-upcard-wild",
    ),
    _italian("calo due re e una pinella", QUESTION, "calata"),
    _italian("con due jolly e un asso posso calare", QUESTION, "calata"),
    _italian(
        "aggiungo un re alla canasta degli avversari", QUESTION, "calata", "detto-meld-lay-off"
    ),
    _italian("quando posso calare i tre neri", RULE, "calata", "regola-black-threes"),
    _italian("ho buttato un tre nero", QUESTION, "scarto", "regola-black-three-discarded"),
    _italian(
        "non ho scoperto il tre rosso",
        "",
        "red-three-not-exposed",
        "penalita-red-three-not-exposed",
    ),
    _italian("kanasta sporca quanto vale", RULE, "", "regola-canastas"),
    # in English
    _english(
        "can I go out with two dirty canastas", QUESTION, "chiusura", "regola-canastas-needed"
    ),
    _english("how many canastas to go out", RULE, "chiusura", "regola-canastas-needed"),
    _english("go out without discarding", QUESTION, "chiusura", "regola-last-discard"),
    _english("my partner wont let me go out", QUESTION, "permesso", "regola-permission"),
    _english("I open with 45 points", QUESTION, "apertura", "regola-opening-steps"),
    _english(
        "we have 1600 points what do we need to open", RULE, "apertura", "regola-opening-steps"
    ),
    _english(
        "can I take the pile with a king and a joker",
        QUESTION,
        "pozzo",
        "regola-pile",
        "regola-pile-naturals",
    ),
    _english("joker on the pile", "", "pozzo scarto", "regola-freezing", "regola-pile-tops"),
    _english("I draw two cards", RULE, "", "regola-drawn"),
    _english("I drew before my turn", QUESTION, "draw-out-of-turn", "penalita-draw-out-of-turn"),
    _english("I discard a wild card", QUESTION, "scarto", "regola-freezing"),
    _english("can I add a two to a clean canasta", QUESTION, "calata", "regola-wild-on-canasta"),
    _english("lay down three black threes", QUESTION, "calata", "regola-black-threes"),
    _english(
        "can I meld two jokers and an ace",
        QUESTION,
        "calata",
        "regola-wild-limit",
        "regola-meld-naturals",
    ),
    _english("do we need a canasta to go out", QUESTION, "chiusura", "regola-canastas-needed"),
    _english(
        "we opened with 40 points",
        QUESTION,
        "apertura opening-under-minimum",
        "regola-opening-steps",
    ),
    _english("the stock is empty", QUESTION, "tallone", "regola-end-of-stock"),
    # as the referee was asked first
    _italian("il pozzo è congelato, posso prenderlo con un re e una pinella?", "", "pozzo"),
    _italian("3 nero in cima al pozzo", "", "pozzo"),
    _italian("il compagno ha detto di no", "", "permesso"),
    _italian("chiudere senza canasta", "", "chiusura"),
    _italian("ha scartato un tre nero", "", "scarto"),
    _italian("ultima carta del tallone", "", "tallone"),
    _italian("ho pescato quando non toccava a me", "", "draw-out-of-turn"),
    _english("the pile is frozen, may I take it", "", "pozzo"),
    _english("partner said no", "", "permesso"),
    _italian("quante carte si danno", RULE, "", "regola-dealt"),
    _italian("quanto vale un due", RULE, "", "regola-card-points"),
    _italian("chi dà le carte", RULE, "", "parola-dealer"),
    _italian("jolly sopra una canasta pulita", RULE, "", "regola-wild-on-canasta"),
    _italian("ha pescato due carte", RULE, "", "regola-drawn"),
    _english("how many cards are dealt", RULE, "", "regola-dealt"),
    _english("what is a deuce worth", RULE, "", "regola-card-points"),
    _italian("penalità carta esposta", QUESTION, "exposed-card"),
    _italian("ha giocato fuori turno", QUESTION, "draw-out-of-turn"),
    _english("played out of turn", QUESTION, "draw-out-of-turn"),
]
