"""A process that has imported the command and forks for each run of it, which saves half a second
of imports a run.

Run as a script with the path of a socket, it serves until its standard input is closed. `CLIENT` is
a script that stands for the command in a shell: it hands over its arguments, folder, environment
and standard streams, and ends as the command ended.
"""

import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path

CLIENT = """
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    said = json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(said).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(said)
    for stream in (0, 1, 2):
        os.close(stream)
    status = int.from_bytes(server.recv(1), "big")
os._exit(status)
"""


def accept(listening: socket.socket) -> None:
    """Return in a new process for each run, set up as if it had been started by the client."""
    while True:
        client, _ = listening.accept()
        if os.fork() == 0:
            break
        client.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, _, _ = socket.recv_fds(client, 4, 3)
    said = b""
    while len(said) < int.from_bytes(size, "big"):
        said += client.recv(65536)
    run = os.fork()
    if run:
        for stream in (*streams, 0, 1, 2):
            os.close(stream)
        status = os.waitstatus_to_exitcode(os.waitpid(run, 0)[1])
        client.send(bytes([status if status >= 0 else 128 - status]))
        os._exit(0)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    client.close()
    listening.close()
    arguments, folder, environment = json.loads(said)
    sys.argv[1:] = arguments
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)


def end_with(parent: int) -> None:
    """End this process when the test run closes its end of standard input."""
    os.read(parent, 1)
    os._exit(0)


if __name__ == "__main__":
    import weasyprint  # type: ignore[import-untyped]  # noqa: F401

    import scorepad.app  # noqa: F401
    from scorepad.cli import data_file, main, rule_commands, serve  # noqa: F401

    path, sys.argv[:] = sys.argv[1], ["scorepad"]
    parent = os.dup(0)
    os.set_inheritable(parent, False)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        Path(path).with_suffix(".ready").touch()
        threading.Thread(target=end_with, args=(parent,), daemon=True).start()
        accept(listening)
    main()
