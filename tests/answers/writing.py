"""All answers, and the file that keeps them: one answer a line, as JSON, compressed."""

import gc
import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

from tests.answers import of_commands, of_matches, of_pages, of_rules
from tests.answers.program import Answers, Program, matches_any, started

TOPICS: dict[str, Callable[[Program], Answers]] = {
    "command": of_commands.commands,
    "score": of_rules.scores,
    "spoiled-score": of_rules.spoiled_scores,
    "rule": of_rules.rulings,
    "spoiled-rule": of_rules.spoiled_rulings,
    "http": of_rules.over_http,
    "variants": of_rules.variant_listings,
    "check": of_rules.house_rules,
    "match": of_matches.whole_matches,
    "wrong-match": of_matches.wrong_matches,
    "page": of_matches.played_tables,
    "rulebook": of_pages.rulebook,
    "referee": of_pages.referee,
    "paper": of_pages.papers,
    "typed": of_pages.typed_hands,
}
"""What is asked; the names of the answers of a topic begin with its name."""


def all_answers(only: Iterable[str] = ()) -> dict[str, Any]:
    """The answers by name. Topics are asked in as many processes as there are processors."""
    patterns = tuple(only)
    topics_wanted = [pattern.partition("/")[0] for pattern in patterns]
    topics = [topic for topic in TOPICS if matches_any(topic, topics_wanted)]
    answers: dict[str, Any] = {}
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as processes:
        for of_topic in processes.map(_answers_of_topic, topics, repeat(patterns)):
            assert answers.keys().isdisjoint(of_topic), "asked twice"
            answers |= of_topic
    return answers


def _answers_of_topic(topic: str, patterns: tuple[str, ...]) -> dict[str, Any]:
    # Each topic has a program of its own, so that it does not depend on which others are asked.
    answers: dict[str, Any] = {}
    with started(patterns) as program, no_garbage_collection():
        for name, answer in TOPICS[topic](program):
            assert name not in answers, f"{name} is asked twice"
            if program.is_wanted(name):
                answers[name] = program.masks.mask(answer)
    return answers


def write_answers(file: Path, answers: dict[str, Any]) -> None:
    """Keep answers; the same answers give the same bytes."""
    lines = [json.dumps([name, answer], ensure_ascii=False) for name, answer in answers.items()]
    content = "\n".join(lines).encode()
    file.write_bytes(gzip.compress(content, mtime=0))


def read_answers(file: Path) -> dict[str, Any]:
    """The answers kept in a file."""
    content = gzip.decompress(file.read_bytes()).decode()
    return dict(json.loads(line) for line in content.split("\n"))


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Put off the search for garbage: it takes a sixth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()


@contextmanager
def banners_to_errors() -> Iterator[None]:
    """Send what a library writes to standard output from C to standard error."""
    output = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(output, 1)
        os.close(output)
