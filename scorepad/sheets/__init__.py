"""Matches and variants in readable form: rows of a hand, sheets and cards as PDF, charts, pictures,
text and CSV.

Only this package imports WeasyPrint, and only to make a PDF.
"""
