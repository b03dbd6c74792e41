"""The servers of the soak: PostgreSQL behind a pooler, with a read replica, and Redis."""

import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass

from tests.bench.places import Place
from tests.bench.under_attack import WITHOUT_LIMITS
from tests.operations.redis_server import RedisServer
from tests.operations.replica import Replica
from tests.plugins.clusters import SUPERUSER, Cluster
from tests.plugins.poolers import pgbouncer

NAME = "soak"


class SoakReplica(Replica):
    """A replica of the soak's own cluster."""

    @property
    def address(self) -> str:
        return f"postgresql://{SUPERUSER}@/{NAME}?host={self.socket}"


@dataclass(frozen=True)
class Servers:
    """place: the environment in which the shop uses all of them."""

    place: Place
    replica: SoakReplica
    redis: RedisServer


def start(cluster: Cluster, direct: Place, stack: ExitStack) -> Servers:
    """Start the other servers. direct: the filled database, whose role gets what the pooler cannot pass on."""
    _set_role(cluster, direct)
    pooler = pgbouncer(str(cluster.socket))
    stack.callback(pooler.remove)
    redis = RedisServer()
    stack.callback(redis.remove)
    replica = SoakReplica(str(cluster.socket))
    stack.callback(replica.stop)
    url = direct.environment["DATABASE_URL"]
    environment = {
        **direct.environment,
        **WITHOUT_LIMITS,
        "COMMERCE_ENV": "development",
        "DATABASE_SOCKET": str(pooler.directory),
        "DATABASE_POOLER": "transaction",
        "DATABASE_DIRECT_URL": f"{url}?host={cluster.socket}",
        "DATABASE_REPLICA_URLS": replica.address,
        "REDIS_URL": redis.url,
        "THROTTLES_IN_REDIS": "True",
        "SESSIONS_IN_REDIS": "True",
    }
    return Servers(Place("postgresql", environment), replica, redis)


def _set_role(cluster: Cluster, place: Place) -> None:
    command = [sys.executable, "manage.py", "database_role"]
    lines = subprocess.run(command, env=place.environment, capture_output=True, text=True, check=True).stdout
    with cluster.connect() as connection:
        connection.execute(lines.encode())
