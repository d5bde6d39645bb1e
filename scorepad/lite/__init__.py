"""The pad alone in a browser: the static site that `scorepad lite` writes, and what runs in it.

| part | what it is for |
|---|---|
| `pieces` | what the site is made of besides this package, with digests |
| `build` | lays out the site |
| `compiling` | compiles the Python code inside Pyodide, under node |
| `site` | the page around the application, its service worker and its worker |
| `inside` | the Python code that only runs in the browser |
"""
