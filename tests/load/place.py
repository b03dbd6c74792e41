"""The environment of the load test's server."""

from pathlib import Path

from tests.bench.places import Place, postgresql_place
from tests.bench.under_attack import WITHOUT_LIMITS
from tests.plugins.clusters import Cluster

PROVIDER = "pp_load"
JOURNALS = "LOAD_PAYMENT_JOURNALS"
"""The environment variable that names the directory of the payment provider's journals."""


def load_place(cluster: Cluster, directory: Path) -> Place:
    """A new database and all settings. directory: for emails and the journals of the payment provider."""
    place = postgresql_place(cluster, "load")
    journals = directory / "journals"
    journals.mkdir()
    place.environment |= {
        **WITHOUT_LIMITS,
        "COMMERCE_ENV": "development",  # webhooks may go to this machine
        "WEBHOOKS_TO_LOCAL_ADDRESSES": "True",
        "EMAIL_URL": f"filemail:///{directory}/mail",
        "PAYMENT_PROVIDERS": f"{PROVIDER}=tests.load.provider.LoadProvider",
        "PAYMENT_PATIENCE": "10",
        "RESUME_INTERVAL": "10",
        JOURNALS: str(journals),
    }
    return place
