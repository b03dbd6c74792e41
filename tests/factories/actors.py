"""Who asks, for tests: actors with the permissions that a test names and no other."""

from kit.domain.actor import Actor


def staff_actor(*permissions: str, id: str = "user_01TEST") -> Actor:
    """A staff user's actor with these permissions; `id` need not name a row."""
    return Actor(type="user", id=id, permitted=frozenset(permissions).__contains__)
