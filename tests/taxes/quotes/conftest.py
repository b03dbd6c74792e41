from tests.taxes.quotes.fake_tax_provider import provider, store

__all__ = ["provider", "store"]
