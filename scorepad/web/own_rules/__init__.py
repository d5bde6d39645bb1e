"""House rules of the table's own: made on the pages, saved as files, taken over from files."""
