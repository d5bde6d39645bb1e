"""Configurations of fontconfig, so that pages and papers look alike in tests, whatever fonts the
machine has.
"""

from pathlib import Path

DESKTOP = Path(__file__).with_name("desktop.conf")
PHONE = Path(__file__).with_name("phone.conf")
