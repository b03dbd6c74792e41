"""The variables of an S3-compatible bucket: what cannot work stops the start and names the variable."""

import pytest

from tests.architecture.test_settings import refusal, reported

pytestmark = [pytest.mark.every(3), pytest.mark.once]
KEYS = {"S3_ACCESS_KEY_ID": "key", "S3_SECRET_ACCESS_KEY": "secret"}
SHOP = {
    "COMMERCE_ENV": "development",
    "PUBLIC_URL": "https://api.shop.example",
    "MEDIA_URL": "https://media.shop.example/shop",
    "S3_BUCKET": "shop-pictures",
    **KEYS,
}

NOT_SERVED = (
    "With S3_BUCKET, set MEDIA_URL to where clients read the objects of the bucket, such as "
    "https://media.shop.example/: this server does not serve them."
)


def test_the_storage_of_a_bucket() -> None:
    given = {**SHOP, "S3_ENDPOINT_URL": "https://s3.eu.example", "S3_REGION": "eu", "S3_PREFIX": "/shop/"}
    shown = "settings.STORAGES['default']['OPTIONS'] | {'url': settings.MEDIA_URL}"
    assert reported(shown, **given).stdout.strip() == str(
        {
            "bucket_name": "shop-pictures",
            "endpoint_url": "https://s3.eu.example",
            "region_name": "eu",
            "access_key": "key",
            "secret_key": "secret",
            "location": "shop",
            "addressing_style": "auto",
            "url": "https://media.shop.example/shop/",
        }
    )


def test_without_keys_boto3_looks_for_some() -> None:
    given = {name: value for name, value in SHOP.items() if name not in KEYS}
    shown = "{*settings.STORAGES['default']['OPTIONS']} & {'access_key', 'secret_key'}"
    assert reported(shown, **given).stdout.strip() == "set()"
    found = "__import__('django.core.files.storage').core.files.storage.storages['default'].access_key"
    assert reported(found, **given, AWS_ACCESS_KEY_ID="of-the-machine").stdout.strip() == "of-the-machine"


def test_without_a_bucket_pictures_are_files() -> None:
    backend = "settings.STORAGES['default'], settings.S3_BUCKET"
    expected = str(({"BACKEND": "pictures.storage.MediaFiles"}, ""))
    assert reported(backend, COMMERCE_ENV="development").stdout.strip() == expected


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"S3_BUCKET": ""}, "S3_BUCKET is not set, but S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: set the bucket, too."),
        ({"S3_BUCKET": "Shop_Pictures"}, "S3_BUCKET must be the name of a bucket, not 'Shop_Pictures'."),
        (
            {"S3_ENDPOINT_URL": "s3.eu.example"},
            "S3_ENDPOINT_URL must be http:// or https:// and a host, not 's3.eu.example'.",
        ),
        ({"S3_SECRET_ACCESS_KEY": ""}, "Set both S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY."),
        ({"S3_ADDRESSING_STYLE": "host"}, "S3_ADDRESSING_STYLE must be auto, path or virtual, not 'host'."),
        ({"MEDIA_URL": "/media/"}, NOT_SERVED),
        ({"MEDIA_URL": "https://api.shop.example/media"}, NOT_SERVED),
    ],
)
def test_what_cannot_work_is_refused(changed: dict[str, str], message: str) -> None:
    assert refusal(**{**SHOP, **changed}) == message


def test_a_missing_library_is_named() -> None:
    without = "__import__('sys').modules.__setitem__('storages', None) or settings.S3_BUCKET"
    assert (
        reported(without, **SHOP)
        .stderr.splitlines()[-1]
        .endswith("S3_BUCKET is set, but the library django-storages is missing: make install EXTRAS=s3")
    )
