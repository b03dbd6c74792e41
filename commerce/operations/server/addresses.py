"""How the address that the server listens on is reached."""

LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - recognised, not bound to
"""The local address of a server that listens on every address."""


def address(host: str, port: int) -> str:
    """`http://127.0.0.1:8000`; a server that listens everywhere is reached at localhost."""
    name = "localhost" if host in LOOPBACK else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"
