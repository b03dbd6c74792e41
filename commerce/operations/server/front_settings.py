"""The shop's front: how many threads there are, how lanes share them, and how requests are classified."""

from wsgiref.types import WSGIApplication

from django.conf import settings

from commerce.operations.server.refused_requests import answer_to
from commerce.operations.server.request_kinds import is_upload, kind_of
from kit.rest.requests.client_address import client_site
from kit.server.application import Front
from kit.server.bodies import Bodies
from kit.server.lanes import Lanes
from kit.server.uploads import Uploads
from pictures import originals

# While the CPU is the limit, a single thread is fastest; the others serve requests that wait for PostgreSQL.
THREADS = 4
HASHES = 2
EXPENSIVE = 1
"""Two compete for the CPU with cheap requests, and together finish no sooner than one after the other."""


def fronted(application: WSGIApplication) -> Front:
    """The application behind the front. Django must be set up."""
    lanes = Lanes(THREADS, expensive=EXPENSIVE, hashes=HASHES, provider_calls=max(settings.PAYMENT_LINES, 1))
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
