"""What a table may choose."""

from collections.abc import Iterator

from scorepad.rules.definitions import Option, OptionValue
from scorepad.rules.variants import get_variant


def values_of_options(name: str) -> Iterator[tuple[Option, OptionValue]]:
    """Every value of every option of a variant that can be chosen there."""
    variant = get_variant(name)
    sides = len(variant.settings["sides"].value)
    for option in variant.options.values():
        for value in option.values:
            if value.only_sides in (None, sides):
                yield option, value
