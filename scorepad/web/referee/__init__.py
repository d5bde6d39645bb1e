"""The referee: questions as players ask them, each in a few steps, answered by the rules; alone or
in a match.
"""
