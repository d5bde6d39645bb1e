"""What is left out of the answers, because it differs although nothing has changed.

The clock stands still and chance repeats itself (`tests/fixed.py`); what is masked still changes
with the number of looks at the clock or of ids drawn, which no answer promises:

- parts of a second in moments: each look at the clock takes a microsecond;
- ids of matches, in every text: they become the name of the match here;
- keys of 26 letters, in every text: `<key>`;
- ids of devices and of sent forms, and the digests over them (`device`, `request`, `sent`, `seal`
  in JSON), become numbers in the order in which they appear in an answer, so that the same device
  stays the same;
- random ids in fields of forms (`CHANCE_FIELDS` in `page_text.py`);
- the folder of this run: `<folder>`.
"""

import re
from typing import Any

NUMBERED = ("device", "request", "sent", "seal")
PARTS_OF_A_SECOND = re.compile(r"(\d\d:\d\d:\d\d)\.\d{3,6}")
KEY = re.compile(r"\b[a-km-np-z2-9]{26}\b")


class Masks:
    """The texts that stand for what is masked."""

    def __init__(self, folder: str) -> None:
        self._texts = {folder: "<folder>"}

    def name(self, text: str, name: str) -> None:
        """Let a name stand for a text from now on."""
        self._texts[text] = f"<{name}>"

    def mask(self, answer: Any) -> Any:
        """An answer without what is masked."""
        return self._masked(answer, {})

    def _masked(self, value: Any, numbers: dict[str, str]) -> Any:
        if isinstance(value, str):
            return self._masked_text(value)
        if isinstance(value, list | tuple):
            return [self._masked(each, numbers) for each in value]
        if not isinstance(value, dict):
            return value
        masked = {}
        for name, each in value.items():
            if name in NUMBERED and isinstance(each, str):
                masked[name] = numbers.setdefault(each, f"<{name} {len(numbers) + 1}>")
            else:
                masked[self._masked_text(name)] = self._masked(each, numbers)
        return masked

    def _masked_text(self, text: str) -> str:
        for masked, name in self._texts.items():
            text = text.replace(masked, name)
        text = PARTS_OF_A_SECOND.sub(r"\1", text)
        return KEY.sub("<key>", text)
