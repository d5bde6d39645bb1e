"""`scorepad variants`: the variants, or one of them with every figure and its source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from scorepad.cli.ending import DONE, Stop
from scorepad.cli.mistakes import choice_told
from scorepad.cli.printing import say, send
from scorepad.cli.wording import CommandInWords, lang_option
from scorepad.contract.applying import is_told
from scorepad.contract.variants import differences, variant_list, variant_whole
from scorepad.errors import ChoiceError
from scorepad.i18n import Words
from scorepad.rules.variants import get_variant


def variants_command(speech: Words) -> CommandInWords:
    """The command, told in one language."""

    @click.command("variants", cls=CommandInWords, help=speech.text("cli.variants"), words=speech)
    @click.argument("name", required=False, metavar="[ID]")
    @click.option("--json", "as_json", is_flag=True, help=speech.text("cli.variants.json"))
    @lang_option(speech)
    def variants(name: str | None, as_json: bool) -> int:
        try:
            told: Any = variant_whole(name, speech) if name else variant_list(speech)
        except ChoiceError as trouble:
            raise Stop(choice_told(trouble, speech, "ID")) from None
        if as_json:
            send(json.dumps(told, ensure_ascii=False, indent=2).encode())
        else:
            say("\n".join(_page(told, speech)))
        return DONE

    assert isinstance(variants, CommandInWords)
    return variants


def _page(told: Any, speech: Words) -> Iterator[str]:
    if isinstance(told, list):
        width = max(len(entry["id"]) for entry in told)
        yield from (f"{entry['id']:{width}}  {entry['name']}. {entry['special']}" for entry in told)
        return
    yield f"{told['name']} ({told['id']})"
    yield told["special"]
    yield f"{speech.text('cli.variant.players')}: {', '.join(map(str, told['players']))}"
    body = [*_differences(told, speech), *_settings(told, speech), *_options(told, speech)]
    body += [*_presets(told, speech), *_penalties(told, speech)]
    yield from body
    yield from ("", speech.text("cli.variant.sources"))
    # Of the sources only those that this page names.
    page = "\n".join(body)
    yield from (f"  {key}  {title}" for key, title in told["sources"].items() if f"{key}:" in page)


def _differences(told: dict[str, Any], speech: Words) -> Iterator[str]:
    """What is otherwise than in the classic game, of what decides anything here."""
    found = [each for each in differences(get_variant(told["id"]), speech) if each.matters]
    if found:
        yield from ("", speech.text("cli.variant.differs"))
    for each in found:
        figures = {"name": each.name, "here": each.here, "classic": each.classic}
        # The manuals and the argument stand with the rule itself, below.
        places = "; ".join(str(place) for place in each.cited.citations) or speech.text("standing.house")
        yield f"  {speech.text('cli.variant.difference', **figures)}  [{places}]"


def _settings(told: dict[str, Any], speech: Words) -> Iterator[str]:
    variant = get_variant(told["id"])
    yield from ("", speech.text("cli.variant.settings"))
    for key, entry in told["settings"].items():
        if is_told(key, variant):
            yield f"  {entry['name']}: {entry['words']}  {_why(entry, speech)}"


def _options(told: dict[str, Any], speech: Words) -> Iterator[str]:
    yield from ("", speech.text("cli.variant.options"))
    for key, option in told["options"].items():
        yield from _option(key, option, speech)


def _option(key: str, option: dict[str, Any], speech: Words) -> Iterator[str]:
    yield f"  {key}: {option['name']}"
    if "step" in option:
        step = option["step"]
        amount = speech.text("option.target.amount" if step > 1 else "option.target.any", step=step)
        default = speech.text("cli.variant.default")
        yield f"    {speech.figure(option['default'])} ({default}), {amount}  {_why(option, speech)}"
        return
    for value in option["values"]:
        default = f" ({speech.text('cli.variant.default')})" if value["value"] == option["default"] else ""
        name = value["value"] if isinstance(value["value"], str) else json.dumps(value["value"])
        yield f"    {name}{default}: {value['name']}  {_why(value, speech)}"


def _presets(told: dict[str, Any], speech: Words) -> Iterator[str]:
    if told["presets"]:
        yield from ("", speech.text("cli.variant.presets"))
    for key, preset in told["presets"].items():
        chosen = ", ".join(f"{name} {value}" for name, value in preset["options"].items())
        yield f"  {key}: {preset['name']}{f': {chosen}' if chosen else ''}"


def _penalties(told: dict[str, Any], speech: Words) -> Iterator[str]:
    yield from ("", speech.text("cli.variant.penalties"))
    if not told["penalties"]:
        yield f"  {speech.text('cli.variant.penalties.none')}  {_why(told['settings']['penalties-known'], speech)}"
    for code, penalty in told["penalties"].items():
        points = speech.text("cli.variant.agreed") if penalty["points"] is None else speech.figure(-penalty["points"])
        yield f"  {code}: {penalty['name']}, {points}  {_why(penalty, speech)}"


def _why(entry: dict[str, Any], speech: Words) -> str:
    """Sources, standing, and what an inference rests on."""
    places = "; ".join([*entry["sources"], *entry.get("notes", ())])
    standing = speech.text(f"standing.{entry['standing']}")
    argument = f": {entry['read']}" if "read" in entry else ""
    return f"[{f'{places}; ' if places else ''}{standing}{argument}]"
