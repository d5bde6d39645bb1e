"""The pages: a base, modules that folders share, and a folder for each group of pages."""
