"""Refuses request smuggling: a second request that hides in the body of a first, about whose end two servers disagree.

granian refuses most of what RFC 9112 forbids: lengths that differ or are no numbers, folded lines, spaces before a
colon, malformed chunks. Of a Content-Length beside a Transfer-Encoding, it obeys the latter, does not pass on the
former, and closes the connection after the answer.
"""

from wsgiref.types import WSGIEnvironment

from kit.server.refusals import Refused


def check_framing(environ: WSGIEnvironment) -> None:
    """Raise Refused, 400, for what is left: codings besides chunks, no host, several hosts."""
    coding = environ.get("HTTP_TRANSFER_ENCODING")
    if coding is not None and coding.strip().lower() != "chunked":
        raise _malformed("The Transfer-Encoding of a request must be chunked")
    host = environ.get("HTTP_HOST", "" if environ["SERVER_PROTOCOL"] == "HTTP/1.1" else "none")
    if not host or "," in host:
        raise _malformed("A request must have one Host")


def _malformed(message: str) -> Refused:
    return Refused(400, message, closes=True)
