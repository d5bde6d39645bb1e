"""The page about what a pad that is alone keeps in its browser, and how to keep it safe."""

from __future__ import annotations

from flask import Blueprint, Response

from scorepad.web import base

blueprint = Blueprint("this_device", __name__)
MOST_FINISHED = 200
"""Finished matches that are looked through for those in no file, the last changed first."""


@blueprint.get("/questo-dispositivo")
def page() -> Response:
    """Show what is kept and whether the browser may delete it; a script fills in the figures."""
    summaries = base.get_pad().summaries(base.device_id(), finished=MOST_FINISHED)
    return base.render_page(
        "this_device/page.html",
        title=base.t("device.title"),
        finished=summaries.finished,
        number_of_matches=summaries.all_in_progress + summaries.all_finished,
    )
