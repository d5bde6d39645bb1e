// Tells when Python can run.

import { loadPyodide } from "./pyodide.mjs";

const python = await loadPyodide({ indexURL: new URL("./", import.meta.url).href });
python.runPython("1 + 1");
self.postMessage("ready");
