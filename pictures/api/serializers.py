"""The answers about pictures."""

from typing import Any

from rest_framework import serializers

from kit.values.timestamps import isoformat
from pictures.models import Picture
from pictures.states import PictureStatus


class FileSerializer(serializers.Serializer[Any]):
    """An uploaded picture. Its `url` is final, and answered 404 until the status is `ready`."""

    id = serializers.CharField()
    url = serializers.CharField()
    status = serializers.ChoiceField(choices=PictureStatus.values)


class FileDetailsSerializer(FileSerializer):
    """An uploaded picture. `reason` says why a failed one cannot be used."""

    reason = serializers.CharField(allow_null=True)
    size = serializers.IntegerField(help_text="Of the uploaded file, in bytes.")
    created_at = serializers.DateTimeField()


class FilesAnswerSerializer(serializers.Serializer[Any]):
    """The uploaded pictures, in the order of the files."""

    files = FileSerializer(many=True)


class FileAnswerSerializer(serializers.Serializer[Any]):
    """One uploaded picture."""

    file = FileDetailsSerializer()


class PresignedUrlSerializer(serializers.Serializer[Any]):
    """An address for one file. `filename` is the id of the file once it is uploaded."""

    url = serializers.CharField()
    filename = serializers.CharField()
    originalname = serializers.CharField()
    mime_type = serializers.CharField()
    extension = serializers.CharField()
    size = serializers.IntegerField(help_text="Of the file, in bytes.")


class UploadedFileSerializer(serializers.Serializer[Any]):
    """The uploaded picture; of a spreadsheet, which nobody can download, an empty `url`."""

    file = FileSerializer()


def shown(picture: Picture) -> dict[str, Any]:
    """The picture as FileSerializer describes it."""
    return {"id": picture.pk, "url": picture.url, "status": picture.status}


def shown_in_full(picture: Picture) -> dict[str, Any]:
    """The picture as FileDetailsSerializer describes it."""
    return {
        **shown(picture),
        "reason": picture.reason or None,
        "size": picture.size,
        "created_at": isoformat(picture.created_at),
    }
