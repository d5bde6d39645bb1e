"""A second scorer of canasta hands, written from the rules and the contract alone.

It shares no line with the product: it exists so that two readings of the same documents can be
compared hand by hand.
"""
