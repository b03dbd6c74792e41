"""A payment provider outside of the shop, at no distance: what a request to it costs the shop itself."""

from payments.providers.system import SystemProvider


class RemoteProvider(SystemProvider):
    """Called between two transactions, since a subclass of a local provider is not local."""
