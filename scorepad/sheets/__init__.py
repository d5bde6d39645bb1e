"""Matches and variants in readable form: `score_table` for the rows of a hand; match sheets, blank
pads and rules cards as PDF; charts, pictures, text and CSV.

Only this package imports WeasyPrint, and only to make a PDF.
"""
