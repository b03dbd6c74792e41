from tests.taxes.asking.asked_provider import asked, store

__all__ = ["asked", "store"]
