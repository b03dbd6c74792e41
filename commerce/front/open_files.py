"""How many files a process may have open: each connection is one, and many systems begin at 1,024."""

import resource
from contextlib import suppress


def allow_open_files(number: int) -> None:
    """Raise the process's own limit to that many, or as far as the system lets it."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if most == resource.RLIM_INFINITY else min(number, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        with suppress(OSError, ValueError):  # some systems name no limit, and still have one
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
