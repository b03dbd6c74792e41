"""The front itself: an RSGI application that runs a WSGI application in threads."""

import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from wsgiref.types import WSGIApplication, WSGIEnvironment

from kit.server.answers import Answer, SentFile
from kit.server.bodies import NOTHING, Bodies, Body
from kit.server.environ import environ_of, give_body, give_file
from kit.server.framing import check_framing
from kit.server.lanes import Job, Kind, Lanes
from kit.server.memory import Garbage, return_large_blocks
from kit.server.open_files import allow_open_files
from kit.server.pool import Pool
from kit.server.refusals import Refused, busy
from kit.server.rsgi import Exchange, Responses, Scope
from kit.server.stopping import STOPPING, LastExchange
from kit.server.uploads import ACCEPTED, HEAD, Head, Uploads

OPEN_FILES = 10_000
"""Open files per process: connections of clients and of the database, and files being sent."""

SWITCH_SECONDS = 0.001
"""Seconds that a computing thread keeps others waiting; each step between the loop and a thread waits that long."""

RELIEF_SECONDS = 0.25
"""Seconds between two looks for jobs that run for long."""

Classify = Callable[[WSGIEnvironment, bytes], Kind]
Refuse = Callable[[Refused], WSGIApplication]
Identify = Callable[[WSGIEnvironment], str]
log = logging.getLogger(__name__)


class Front:
    """The application, with its threads.

    classify: the kind of a request, by its environment and body. identify: the client that sent a request that waits.
    refuse: the application that answers a refusal. They run in the event loop: they must be quick and must not wait.
    drain_seconds: how long it still answers after SIGTERM, before it stops accepting connections.
    """

    def __init__(
        self,
        application: WSGIApplication,
        *,
        classify: Classify,
        identify: Identify,
        refuse: Refuse,
        threads: int,
        lanes: Lanes,
        bodies: Bodies,
        uploads: Uploads,
        drain_seconds: float = 0.0,
    ) -> None:
        self._application = application
        self._classify, self._identify, self._refuse = classify, identify, refuse
        self._lanes = lanes.lanes
        self._pool = Pool(threads, lanes)
        self._bodies, self._uploads = bodies, uploads
        self._garbage = Garbage()
        self._drain_seconds = drain_seconds

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Granian's call before the first request."""
        allow_open_files(OPEN_FILES)
        return_large_blocks()
        sys.setswitchinterval(SWITCH_SECONDS)
        self._pool.start()
        self._relieve(loop)
        loop.add_signal_handler(signal.SIGTERM, self._drain, loop)

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Granian's call after the last request."""
        self._pool.stop()

    def _relieve(self, loop: asyncio.AbstractEventLoop) -> None:
        self._pool.relieve()
        loop.call_later(RELIEF_SECONDS, self._relieve, loop)

    def _drain(self, loop: asyncio.AbstractEventLoop) -> None:
        """SIGTERM comes here. A second one ends the wait."""
        seconds = 0.0 if STOPPING.is_set() else self._drain_seconds
        STOPPING.set()
        loop.call_later(seconds, self._stop)

    def _stop(self) -> None:
        """Close before granian waits for running requests, which it does on SIGINT."""
        self._bodies.close()
        self._uploads.close()
        signal.raise_signal(signal.SIGINT)

    async def __rsgi__(self, scope: Scope, exchange: Exchange) -> None:
        """Answer one request. Granian counts it as done when this returns."""
        environ = environ_of(scope)
        if STOPPING.is_set():
            exchange = LastExchange(exchange)
        body = NOTHING
        try:
            check_framing(environ)
            environ["wsgi.file_wrapper"] = SentFile
            if self._uploads.is_upload(environ):
                await self._uploaded(environ, exchange)
                return
            if "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ:
                body = await self._collected(environ, exchange)
            await self._answered(environ, body, exchange)
        except Refused as refused:
            Answer().send(self._refuse(refused), environ, exchange)
        finally:
            if body is not NOTHING:
                self._bodies.release(body)

    async def _collected(self, environ: WSGIEnvironment, exchange: Exchange) -> Body:
        is_chunked = "HTTP_TRANSFER_ENCODING" in environ
        length = None if is_chunked else environ["CONTENT_LENGTH"]
        body = NOTHING if length == "0" else await self._bodies.collect(exchange, length)
        give_body(environ, body.content)
        return body

    async def _uploaded(self, environ: WSGIEnvironment, exchange: Exchange) -> None:
        """Answer an upload. Raises Refused."""
        length = None if "HTTP_TRANSFER_ENCODING" in environ else environ.get("CONTENT_LENGTH", "0")
        head = Head(exchange)
        await self._answered({**environ, HEAD: True, "CONTENT_LENGTH": "0"}, NOTHING, head)
        if head.status != ACCEPTED:
            head.send()
            return
        async with self._uploads.spooled(exchange, length, limit=head.limit) as file:
            give_file(environ, file)
            await self._answered(environ, NOTHING, exchange)

    async def _answered(self, environ: WSGIEnvironment, body: Body, exchange: Responses) -> None:
        """Return once the thread has sent the answer. Raises Refused for a request that waited too long."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def call() -> None:
            try:
                Answer().send(self._application, environ, exchange)
            except BaseException:  # the thread must survive any exception
                log.exception("the answer could not be sent")
            self._garbage.add(len(body.content))
            with suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(done.set_result, None)

        def give_way() -> None:
            if not done.done():  # nothing waits any more once the loop closes
                done.set_exception(busy())

        kind = self._classify(environ, body.content)
        job = Job(kind, call, refuse=give_way, client=lambda: self._identify(environ))
        runs = self._pool.submit(job)
        if runs is None:
            raise busy()
        if runs or await self._began(job, done, exchange):
            await done

    async def _began(self, job: Job, done: "asyncio.Future[None]", exchange: Responses) -> bool:
        """Wait for the job to begin. False if its client hung up before. Raises Refused if it waited too long."""
        gone = asyncio.ensure_future(exchange.client_disconnect())
        try:
            patience = self._lanes[job.kind].patience
            await asyncio.wait((done, gone), timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if done.done() or not self._pool.withdraw(job):
                return True
            if gone.done():
                return False
            raise busy()
        finally:
            gone.cancel()
