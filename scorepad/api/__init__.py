"""The JSON contract over HTTP."""
