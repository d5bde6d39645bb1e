"""The pages: a base, presenters that folders share, and a folder for each group of pages."""
