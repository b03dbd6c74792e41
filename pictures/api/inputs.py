"""The bodies of uploads."""

from kit.rest.requests.input_fields import CharField, ChoiceField, IntegerField
from kit.rest.requests.inputs import Input
from kit.spreadsheets.files import MOST_BYTES
from kit.spreadsheets.sent_files import TYPES
from pictures.receiving import EXTENSIONS


class PresignedUrlInput(Input):
    """A file that will be uploaded. Pictures are public: everybody sees them at their `url`; spreadsheets are not."""

    originalname = CharField(allow_blank=False)
    mime_type = ChoiceField(choices=[*EXTENSIONS, *TYPES])
    size = IntegerField(min_value=1, max_value=MOST_BYTES, help_text="In bytes; of a picture at most 20 MiB.")
    access = ChoiceField(choices=["public"], required=False)
