"""A fake S3, moto's server, and a shop that stores its pictures in a bucket there."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from itertools import count
from typing import Any
from urllib.parse import urlsplit

import boto3
import pytest
from moto.server import ThreadedMotoServer
from pytest_django import Settings

from kit.environment.s3_environment import picture_storage
from kit.environment.typed_environment import Environment

KEYS = {"S3_ACCESS_KEY_ID": "key-of-the-shop", "S3_SECRET_ACCESS_KEY": "secret-of-the-shop", "S3_REGION": "us-east-1"}
_numbers = count()


@dataclass(frozen=True)
class Bucket:
    """environment: the variables of a shop that stores pictures there."""

    address: str
    name: str
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def client(self) -> Any:
        keys = {"aws_access_key_id": "tests", "aws_secret_access_key": "tests", "region_name": "us-east-1"}
        return boto3.client("s3", endpoint_url=self.address, **keys)

    def names(self) -> list[str]:
        return sorted(each["Key"] for each in self.client.list_objects_v2(Bucket=self.name).get("Contents", ()))

    def content(self, key: str) -> bytes:
        return bytes(self.client.get_object(Bucket=self.name, Key=key)["Body"].read())

    def create(self) -> None:
        """With a policy that lets everybody read its objects, as a public bucket has."""
        allowed = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject"}
        policy = {"Version": "2012-10-17", "Statement": [{**allowed, "Resource": f"arn:aws:s3:::{self.name}/*"}]}
        self.client.create_bucket(Bucket=self.name)
        self.client.put_bucket_policy(Bucket=self.name, Policy=json.dumps(policy))

    def remove(self) -> None:
        for key in self.names():
            self.client.delete_object(Bucket=self.name, Key=key)
        self.client.delete_bucket(Bucket=self.name)


@pytest.fixture(scope="session")
def s3_address() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


def new_bucket(address: str, prefix: str = "") -> Bucket:
    name = f"pictures-{next(_numbers)}"
    environment = {**KEYS, "S3_BUCKET": name, "S3_ENDPOINT_URL": address, "S3_ADDRESSING_STYLE": "path"}
    media_url = f"{address}/{name}/{prefix}"
    bucket = Bucket(address, name, {**environment, "S3_PREFIX": prefix, "MEDIA_URL": media_url})
    bucket.create()
    return bucket


def use(bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process store pictures in the bucket. Its address may be unreachable."""
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("S3_ENDPOINT_URL", bucket.address)
    storage = picture_storage(Environment(), has_media_url=True)
    settings.STORAGES = {**settings.STORAGES, "default": storage}
    settings.S3_BUCKET, settings.MEDIA_URL = bucket.name, bucket.environment["MEDIA_URL"].rstrip("/") + "/"


@pytest.fixture
def bucket(s3_address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    made = new_bucket(s3_address)
    use(made, settings, monkeypatch)
    return made


def get(url: str) -> tuple[int, Any, bytes]:
    """The status, headers and body that anybody gets, without keys."""
    parts = urlsplit(url)
    connection = HTTPConnection(parts.netloc, timeout=10)
    connection.request("GET", parts.path)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


def make_unreachable(bucket: Bucket, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens on the port any more, as far as this process is concerned."""
    use(replace(bucket, address="http://127.0.0.1:9"), settings, monkeypatch)
