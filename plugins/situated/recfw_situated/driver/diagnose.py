"""Who listens at a port where no store answered: told in words."""

import socket
import struct

MAGIC = struct.pack("<I", 0x9E2B83C1)
"""First four bytes of every message of UnrealCV."""

PATIENCE = 1.5
"""Seconds to wait for whoever listens to say something."""

HINT = "Give the host and port of an UnrealCV server, or let the run start its own store."


def diagnosis(host: str, port: int, patience: float = PATIENCE) -> tuple[str, str]:
    """
    Return what is wrong with the server at an address, and the next step; called when connecting failed.

    Args:
        host: The address.
        port: Its port.
        patience: Seconds to wait for a connection, and then for each of two first words.
    """
    where = f"{host}:{port}"
    try:
        with socket.create_connection((host, port), timeout=patience) as connection:
            return _words(where, _first_bytes(connection, patience)), HINT
    except OSError as error:
        return f"Nothing answers at {where} ({error.strerror or error}).", HINT


def _first_bytes(connection: socket.socket, patience: float) -> bytes | None:
    """Return what the other side says first, unasked or to a line of HTTP; None where it says nothing."""
    connection.settimeout(patience)
    try:
        return connection.recv(64)
    except TimeoutError:
        pass
    try:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        return connection.recv(64)
    except TimeoutError:
        return None
    except OSError:
        return b""


def _words(where: str, said: bytes | None) -> str:
    if said is None:
        return f"Something listens at {where} and says nothing: it hangs, or it is another service."
    if said == b"":
        return f"Something listens at {where} and hangs up at once: another client is connected, or it is no store."
    if said.startswith(MAGIC):
        return f"An UnrealCV server listens at {where} but did not complete the greeting in time."
    start = said.split(b"\r\n")[0].split(b"\n")[0][:40].decode("ascii", "replace")
    return f"Another service listens at {where}, not UnrealCV: it says '{start}'."
