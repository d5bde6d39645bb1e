"""The pages: one room for each noun, with its views, its forms and its pages as values."""
