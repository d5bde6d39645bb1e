"""The pages of a match: starting it, following it, changing it, checking it, and taking it
elsewhere.
"""
