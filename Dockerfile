# The shop in a container: docker build -t commerce . (deploy/compose.yaml runs it with PostgreSQL and nginx)
FROM python:3.13-slim-trixie AS build
RUN apt-get update && apt-get install --yes --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/shop
# The libraries change less often than the code: their layer comes first.
COPY Makefile requirements*.txt ./
ARG EXTRAS=""
RUN make install EXTRAS="$EXTRAS"
COPY . .
RUN .venv/bin/python -m compileall -q -x '\.venv' .

FROM python:3.13-slim-trixie
ARG EXTRAS=""
# pg_dump and pg_restore, for backups; what draws PDFs, only with the extra that makes them
RUN case " $EXTRAS " in *" invoices "*) \
        drawing="libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core";; \
    esac \
    && apt-get update && apt-get install --yes --no-install-recommends postgresql-client $drawing && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/shop --create-home shop
COPY --from=build /srv/shop /srv/shop
WORKDIR /srv/shop
# All that the shop writes is below /var/lib/shop, so the rest can be read-only.
ENV COMMERCE_HOME=/var/lib/shop PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
VOLUME /var/lib/shop
USER shop
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD [".venv/bin/python", "-c", "import urllib.request as web; web.urlopen('http://127.0.0.1:8000/health/ready')"]
ENTRYPOINT [".venv/bin/python", "manage.py"]
CMD ["serve", "--host", "127.0.0.1", "--port", "8000"]
