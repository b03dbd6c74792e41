"""The shop's front: how many threads there are, how lanes share them, and how requests are classified."""

from wsgiref.types import WSGIApplication

from django.conf import settings

from commerce.kit.api.client_address import client_site
from commerce.kit.front.application import Front
from commerce.kit.front.bodies import Bodies
from commerce.kit.front.lanes import Lanes
from commerce.kit.front.uploads import Uploads
from commerce.operations.refused_requests import answer_to
from commerce.operations.request_kinds import is_upload, kind_of
from commerce.pictures import originals

# While the CPU is the limit, a single thread is fastest; the others serve requests that wait for PostgreSQL.
THREADS = 4
HASHES = 2


def fronted(application: WSGIApplication) -> Front:
    """The application behind the front. Django must be set up."""
    lanes = Lanes(THREADS, expensive=THREADS // 2, hashes=HASHES, provider_calls=max(settings.PAYMENT_LINES, 1))
    return Front(
        application,
        classify=kind_of,
        identify=client_site,
        refuse=answer_to,
        threads=THREADS,
        lanes=lanes,
        bodies=Bodies(),
        uploads=Uploads(is_upload, originals.directory),
        drain_seconds=settings.DRAIN_SECONDS,
    )
