"""`scorepad variants`: the variants, or one of them with every figure and its source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from scorepad.cli.ending import DONE, Stop
from scorepad.cli.printing import say, send
from scorepad.cli.wording import CommandInWords, lang_option
from scorepad.contract.variants import variant_list, variant_whole
from scorepad.errors import ChoiceError
from scorepad.i18n import Words


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
            figures = {"key": "ID", "given": str(trouble.given)[:40], "known": ", ".join(trouble.known)}
            raise Stop(speech.text(f"choice.{trouble.reason}", **figures)) from None
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
    yield from ("", speech.text("cli.variant.settings"))
    for entry in told["settings"].values():
        yield f"  {entry['name']}: {_value(entry['value'], speech)}  {_why(entry, speech)}"
    yield from ("", speech.text("cli.variant.options"))
    for key, option in told["options"].items():
        yield from _option(key, option, speech)
    yield from _presets(told, speech)
    yield from ("", speech.text("cli.variant.penalties"))
    for code, penalty in told["penalties"].items():
        points = speech.text("cli.variant.agreed") if penalty["points"] is None else speech.figure(-penalty["points"])
        yield f"  {code}: {penalty['name']}, {points}  {_why(penalty, speech)}"
    yield from ("", speech.text("cli.variant.sources"))
    yield from (f"  {key}  {title}" for key, title in told["sources"].items())


def _option(key: str, option: dict[str, Any], speech: Words) -> Iterator[str]:
    yield f"  {key}: {option['name']}"
    if "step" in option:
        amount = speech.text("option.target.amount", step=option["step"])
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


def _why(entry: dict[str, Any], speech: Words) -> str:
    """Sources, standing, and what an inference rests on."""
    places = "; ".join([*entry["sources"], *entry.get("notes", ())])
    standing = speech.text(f"standing.{entry['standing']}")
    argument = f". {entry['read']}" if "read" in entry else ""
    return f"[{f'{places}; ' if places else ''}{standing}{argument}]"


def _value(value: Any, speech: Words) -> str:
    """A figure of the data in words."""
    if isinstance(value, bool):
        return speech.text("value.yes" if value else "value.no")
    if isinstance(value, int):
        return speech.figure(value)
    if isinstance(value, str):
        return speech.text(f"value.{value}")
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(each, speech)}" for key, each in value.items())
    return ", ".join(_entry(each, speech) for each in value) or speech.text("value.none")


def _entry(entry: Any, speech: Words) -> str:
    """One entry of a list of the data: a canasta with its bonus, a step of the opening, a figure."""
    if isinstance(entry, dict):
        return f"{speech.text('item.' + entry['item'])} {speech.figure(entry['points'])}"
    if isinstance(entry, list):
        return speech.text("value.opening-step", score=entry[0], minimum=entry[1])
    return _value(entry, speech)
