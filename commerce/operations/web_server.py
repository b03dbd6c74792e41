"""How the web server is started: granian, with the options that measured best."""

import sys

# One thread answers fastest while the CPU is the limit; the others are for answers that wait for PostgreSQL.
THREADS = 4
# granian counts open connections, idle ones too: a low number lets a few idle clients close a worker to all others.
CONNECTIONS = 1024
# Requests that run when it is told to stop have as long to end. A client that sends half a body would take for ever.
STOP_SECONDS = 6
APPLICATION = "commerce.wsgi:application"


def web_server_command(*, host: str, port: int, workers: int, application: str = APPLICATION) -> list[str]:
    """The command line; `application` names a WSGI callable as `module:name`."""
    options = {
        "interface": "wsgi",
        "host": host,
        "port": port,
        "workers": workers,
        "http": "1",
        "blocking-threads": THREADS,
        "blocking-threads-idle-timeout": 600,  # the longest; a new thread needs a new database connection
        "backpressure": CONNECTIONS,
        "workers-kill-timeout": STOP_SECONDS,
        "log-level": "warning",
    }
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    switches = ["--no-ws", "--no-access-log", "--respawn-failed-workers"]
    return [sys.executable, "-m", "granian", *words, *switches, application]
