"""The version before may still serve, or be gone back to: what it deletes must not be held by tables that it lacks."""

from hashlib import sha256

import pytest
from django.db import connection

from kit.jobs.models import Job
from kit.spreadsheets.models import Import
from pictures.fetching import copies_of
from pictures.models import Picture, PictureSource
from staff.models import User
from tests.factories.staff import UserFactory

pytestmark = pytest.mark.django_db


def test_jobs_and_users_of_imports() -> None:
    user, actor = UserFactory.create(), UserFactory.create()
    job = Job.objects.create(actor=actor, total=1)
    Import.objects.create(owner=user, job=job)

    Job.objects.all()._raw_delete("default")
    User.objects.filter(pk=user.pk)._raw_delete("default")

    connection.check_constraints()


def test_pictures_that_were_fetched() -> None:
    picture = Picture.objects.create(digest="0" * 64, size=1)
    PictureSource.objects.create(pk=sha256(b"https://cdn.example/a.png").hexdigest(), picture=picture)

    Picture.objects.all()._raw_delete("default")

    connection.check_constraints()
    assert copies_of(["https://cdn.example/a.png"]) == {}
