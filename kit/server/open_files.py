"""How many files a process may have open: each connection is one, and many systems allow 1,024 by default."""

import resource
from contextlib import suppress


def allow_open_files(number: int) -> None:
    """Raise the process's own limit to that number, or as far as the system allows."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number if most == resource.RLIM_INFINITY else min(number, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        with suppress(OSError, ValueError):  # some systems report no limit, but have one
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
