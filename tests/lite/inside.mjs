// Runs pytest inside Pyodide: node inside.mjs PYODIDE HIGHS MODULES CHECKOUT ARGUMENT...
//
// PYODIDE and HIGHS are unpacked packages of npm, MODULES is a folder with the packages of Python
// that the tests need, CHECKOUT has the tests, and each ARGUMENT is one of pytest.

import { pathToFileURL } from "node:url";

const [pyodideFolder, highsFolder, modules, checkout, ...pytestArguments] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`).href);
const { default: loadHighs } = await import(pathToFileURL(`${highsFolder}/build/highs.mjs`).href);

const python = await loadPyodide({
  indexURL: `${pyodideFolder}/`,
  env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
});
python.registerJsModule("highs_js", await loadHighs());

for (const [folder, path] of [
  [modules, "/modules"],
  [checkout, "/checkout"],
]) {
  python.FS.mkdirTree(path);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, path);
}
python.FS.chdir("/checkout");
python.globals.set("arguments", python.toPy(pytestArguments));
try {
  process.exitCode = python.runPython(`
import sys
sys.path[:0] = ["/modules", "/checkout"]
import pytest
int(pytest.main(arguments))
`);
} catch (error) {
  // Without this, node would print the line where it was thrown: a megabyte of Pyodide.
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
