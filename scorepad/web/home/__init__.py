"""The home page: the matches of the device, the practice match, the language, and the admin link."""
