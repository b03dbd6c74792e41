"""Where pictures are stored, read from the environment: beside the server, or in an S3-compatible bucket."""

import re
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from kit.environment.optional_dependencies import require_extra
from kit.environment.typed_environment import Environment

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]", re.ASCII)
_URL = re.compile(r"https?://[^/]+/?")
_STYLES = ("auto", "path", "virtual")
_OTHERS = ("S3_ENDPOINT_URL", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_PREFIX")


def picture_storage(env: Environment, *, has_media_url: bool) -> dict[str, Any]:
    """The entry of STORAGES for pictures. has_media_url: whether MEDIA_URL names another server.

    Without keys, boto3 looks for some itself: AWS_ACCESS_KEY_ID, a profile, the role of the machine.
    Raises ImproperlyConfigured.
    """
    bucket, others = env.str("S3_BUCKET"), {name: env.str(name) for name in _OTHERS}
    style = env.choice("S3_ADDRESSING_STYLE", "auto", _STYLES)
    if not bucket:
        _require(not any(others.values()), f"S3_BUCKET is not set, but {', '.join(_set(others))}: set the bucket, too.")
        return {"BACKEND": "pictures.storage.MediaFiles"}
    for module in ("storages", "boto3"):
        require_extra("S3_BUCKET", library="django-storages", module=module, extra="s3")
    _require(bool(_BUCKET.fullmatch(bucket)), f"S3_BUCKET must be the name of a bucket, not '{bucket}'.")
    endpoint, key = others["S3_ENDPOINT_URL"], others["S3_ACCESS_KEY_ID"]
    is_url = not endpoint or bool(_URL.fullmatch(endpoint))
    _require(is_url, f"S3_ENDPOINT_URL must be http:// or https:// and a host, not '{endpoint}'.")
    _require(bool(key) == bool(others["S3_SECRET_ACCESS_KEY"]), "Set both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.")
    _require(
        has_media_url,
        "With S3_BUCKET, set MEDIA_URL to where clients read the objects of the bucket, such as "
        "https://media.shop.example/: this server does not serve them.",
    )
    options = {
        "bucket_name": bucket,
        "endpoint_url": endpoint or None,
        "region_name": others["S3_REGION"] or None,
        "access_key": key or None,
        "secret_key": others["S3_SECRET_ACCESS_KEY"] or None,
        "location": others["S3_PREFIX"].strip("/"),
        "addressing_style": style,
    }
    given = {name: value for name, value in options.items() if value is not None}  # boto3 looks for the others
    return {"BACKEND": "pictures.s3_storage.S3Files", "OPTIONS": given}


def _set(values: dict[str, str]) -> list[str]:
    return [name for name, value in values.items() if value]


def _require(is_met: bool, message: str) -> None:
    if not is_met:
        raise ImproperlyConfigured(message)
