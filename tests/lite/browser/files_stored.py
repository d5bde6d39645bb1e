"""The data files that a pad alone has stored in its browser."""

from __future__ import annotations

from tests.lite.browser.lone_pad import LonePad

_READ_SCHEMAS = """async name => {
    const opening = indexedDB.open(name);
    const database = await new Promise(resolve => {
        opening.onsuccess = () => resolve(opening.result);
    });
    const files = database.transaction("files").objectStore("files");
    const reading = [files.getAllKeys(), files.getAll()];
    await new Promise(resolve => { files.transaction.oncomplete = resolve; });
    database.close();
    const [names, contents] = reading.map(request => request.result);
    const schemas = {};
    names.forEach((name, index) => {
        const { buffer, byteOffset } = contents[index];
        if (name.endsWith(".db")) schemas[name] = new DataView(buffer, byteOffset).getUint32(60);
    });
    return schemas;
}"""
"""An SQLite file has the number of its schema, `user_version`, in four bytes from byte 60 on."""


def stored_schemas(pad: LonePad) -> dict[str, int]:
    """The number of the schema of each data file, by the name of the file."""
    name = f"scorepad {pad.address}"
    schemas: dict[str, int] = pad.tab.evaluate(_READ_SCHEMAS, name)
    return schemas
