"""Custom house rules: edited on the pages, exported and imported as files."""
