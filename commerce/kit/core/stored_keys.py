"""Names that are stored or shared: of keys, digests, locks and submitted forms."""


def stored_key(*parts: str) -> str:
    """The parts joined by dots.

    Written in parts because such a name is no module, even if it reads like one: when code moves, it must stay as it is
    (tests/architecture/test_stored_keys.py says why).
    """
    return ".".join(parts)
