"""The page of a pad that is alone about its browser: what is kept there, and how to keep it safe."""
