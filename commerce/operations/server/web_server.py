"""How the web server is started: granian, with the options that measured best."""

import sys

# Open connections of a worker, idle ones and half requests too: beyond them nobody else gets in.
CONNECTIONS = 8192
WAITING_CONNECTIONS = 4096
# A request's head: 16 KiB is the most that a client can make a worker keep for half a head.
HEAD_BYTES = 16_384
HEAD_SECONDS = 10
# Seconds for running requests to finish when the server stops.
STOP_SECONDS = 6
APPLICATION = "commerce.wsgi:application"
MANAGER = "commerce.operations.server.granian_manager"


def web_server_command(
    *, host: str, port: int, workers: int, application: str = APPLICATION, drain_seconds: int = 0
) -> list[str]:
    """The command line.

    application: the WSGI callable behind the front, as `module:name`. drain_seconds: the setting DRAIN_SECONDS.
    """
    named = [] if application == APPLICATION else ["env", f"COMMERCE_APPLICATION={application}"]
    return [
        *named,
        *granian_command(
            "commerce.rsgi:application",
            host=host,
            port=port,
            workers=workers,
            interface="rsgi",
            stop_seconds=drain_seconds + STOP_SECONDS,
        ),
    ]


def granian_command(
    target: str, *, host: str, port: int, workers: int, interface: str, stop_seconds: int = STOP_SECONDS
) -> list[str]:
    """Granian's command line for a target of that interface, `rsgi` or `wsgi`."""
    options = {
        "interface": interface,
        "host": host,
        "port": port,
        "workers": workers,
        "http": "1",
        "http1-buffer-size": HEAD_BYTES,
        "http1-header-read-timeout": HEAD_SECONDS * 1000,
        "backpressure": CONNECTIONS,
        "backlog": WAITING_CONNECTIONS,
        "loop": "auto",
        "workers-kill-timeout": stop_seconds,
        "log-level": "warning",
    }
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    switches = ["--no-ws", "--no-access-log", "--respawn-failed-workers"]
    return [sys.executable, "-m", MANAGER, *words, *switches, target]
