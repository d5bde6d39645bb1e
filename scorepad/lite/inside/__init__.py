"""The Python code that runs in the browser only, around the application."""
