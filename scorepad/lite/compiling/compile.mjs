// Runs Python scripts inside Pyodide: node compile.mjs PYODIDE SOURCE TARGET SCRIPT...

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodideFolder, source, target, ...scripts] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodideFolder}/` });

/**
 * Makes a folder of this machine visible inside Pyodide.
 *
 * @param {string} folder
 * @param {string} path Where it is inside.
 */
function mount(folder, path) {
  python.FS.mkdirTree(path);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, path);
}

mount(source, "/source");
mount(target, "/target");
// The package that is compiled has what compiles it. Nothing else may be added to its folder.
python.runPython("import sys; sys.path.insert(0, '/source'); sys.dont_write_bytecode = True");
for (const script of scripts) python.runPython(readFileSync(script, "utf8"));
