"""Sheets as pages that a browser prints, from the HTML and style sheets of the PDFs.

For machines that can make no PDF. Above the sheet are a button to print it and a link back: a pad on
the home screen of a phone has no button of the browser for that.
"""

from __future__ import annotations

from markupsafe import escape

from scorepad.i18n import Words
from scorepad.sheets.pdf import SCHEME, templates


def make_print_page(html: str, *, static_url: str, back_url: str, words: Words) -> str:
    """Make the page to print from the HTML of a sheet.

    `static_url` is the URL below which the static files are: `/static/3f2a81c09d7e/`. `back_url` is
    that of the page that the link above the sheet leads back to.
    """
    url = escape(static_url)
    head, body_tag, body = html.partition("<body>")
    # Names in the head are escaped: no quotation mark is in them.
    head = head.replace(f'href="{SCHEME}:style/', f'href="{url}sheets/')
    additions = (
        f'<link rel="icon" type="image/svg+xml" href="{url}icon.svg">\n'
        f'<link rel="stylesheet" href="{url}sheets/print.css">\n'
        f'<script type="module" src="{url}print.js"></script>\n'
    )
    head = head.replace("</head>", f"{additions}</head>")
    bar = templates().get_template("sheets/print_bar.html").render(back_url=back_url, t=words.t)
    return f"{head}{body_tag}\n{bar}{body}"
