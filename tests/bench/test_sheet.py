"""The match sheet, against WeasyPrint alone on the same HTML."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorepad.i18n import words
from scorepad.sheets.match_sheet import make_match_sheet, render_match_sheet
from tests.bench.conftest import Bench
from tests.bench.rooms import DEVICE, room


@pytest.mark.bench
def test_match_sheet(bench: Bench, tmp_path: Path) -> None:
    from weasyprint import HTML

    from scorepad.sheets import pdf

    ours = room(tmp_path)
    match = ours.start()
    ours.count(match, 12)
    state, speech = ours.pad.state(match, DEVICE), words("it")
    html = render_match_sheet(state, speech)

    def alone() -> bytes:
        made: bytes = HTML(string=html, url_fetcher=pdf.make_url_fetcher()).write_pdf(
            pdf_variant=pdf.VARIANT
        )
        return made

    assert len(alone()) == len(make_match_sheet(state, speech))
    bench.compare("match sheet of 12 hands", lambda: make_match_sheet(state, speech), alone, "1.3")
