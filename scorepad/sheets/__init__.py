"""Matches and variants for people: rows of a hand, sheets and cards as PDF, charts, pictures, text and CSV.

Only here is WeasyPrint imported, and only when a PDF is asked for.
"""
