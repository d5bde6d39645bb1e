"""Step 4 of the schema: indexes by which the first matches of a list are found, and the matches that a name is in.

A home page asks for its first matches, however many there are behind them. Like every step of the schema it is never
changed once it has left this house.
"""

from __future__ import annotations

KIND = "case when practice = 1 then 'practice' when finished = 1 then 'finished' else 'in-progress' end"
"""The list in which a row of the summaries stands; one that is garbled stands somewhere, and tells it there."""

_IN_ORDER = f"create index summaries_in_order on summaries ({KIND}, place, match_id)"

_NAMING = (
    "create index entries_naming on entries (match_id, kind, payload) where kind in ('start', 'rename', 'replace')"
)
# Who and where: what matches are searched by. The payload stands in the index, so that the log itself is not read.

STATEMENTS = (_IN_ORDER, _NAMING)
"""Everything that the step does, in its order."""
