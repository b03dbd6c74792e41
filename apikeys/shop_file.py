"""The shop file's API keys: active ones without a time of revocation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from django.db.models import Q

from apikeys import tokens
from apikeys.key_permissions import unknown_permissions
from apikeys.models import ApiKey
from apikeys.states import KeyType
from apikeys.titles import fault
from kit.database.locking import lock_rows
from kit.editing.children import Links
from kit.shop_file.problems import Problems
from kit.shop_file.references import NamesOf
from kit.shop_file.sections import Section
from kit.shop_file.values import Choice, Entry, InvalidValue, Text, Texts, Value
from kit.values.json import JSONObject
from kit.values.timestamps import isoformat
from shop.models import SalesChannel
from shop.shop_file import CHANNELS
from staff.models import User
from staff.shop_file import Users


class Title(Text):
    """The title of a key."""

    def parse(self, raw: object) -> str:
        title = super().parse(raw)
        problem = fault(title)
        if problem:
            raise InvalidValue(problem)
        return title


class ApiKeys(Section):
    """Matched and written one by one, since shops have few keys.

    `token` is the clear token or, in dumps of secret keys, the masked form and the digest joined by '$'. The token,
    type, creator and permissions of a key cannot be changed.
    """

    key = "api_keys"
    prefix = "apk"
    fields: ClassVar[Mapping[str, Value]] = {
        "title": Title(),
        "type": Choice(choices=tuple(KeyType.values)),
        "token": Text(may_be_blank=False),
        "sales_channels": NamesOf(target=CHANNELS),
        "created_by": Text(nullable=True),
        "permissions": Texts(nullable=True),
    }

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        self._places: dict[str, str] = {}

    def load_batch(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            key = self._key_of(entry)
            if key is None:
                self.require(entry, "title", "type")
            if entry.is_sound:
                self._load(entry, key)

    def _load(self, entry: Entry, key: ApiKey | None) -> None:
        kind = KeyType(entry.given.get("type", key.type if key else ""))
        if key and kind != key.type:
            self.refuse(entry, f"the key {key.pk} is {key.type}, which cannot be changed", field="type")
        token = self._token(entry, kind, key)
        owner = self._owner(entry, kind, key)
        channels = self._channels(entry, kind)
        permissions = self._permissions(entry, kind, key)
        if not entry.is_sound:
            return
        if key is None:
            given = {name: entry.given[name] for name in ("id", "created_at", "title") if name in entry.given}
            key = ApiKey.objects.create(**given, **token, type=kind, created_by=owner, permissions=permissions)
            _link(key, channels or set())
            self.counts.created += 1
        elif self._is_updated(key, entry.given.get("title", key.title), channels):
            self.counts.updated += 1
        else:
            self.counts.unchanged += 1
        self._places[key.pk] = entry.path

    def _key_of(self, entry: Entry) -> ApiKey | None:
        """The object's key, if it is stored and active. Refuses an ambiguous title, and a second object for one key.

        Titles are not unique: an object with an id does not match a key that the file has listed before.
        """
        active = ApiKey.objects.active()
        given_id, title = entry.given.get("id"), entry.given.get("title")
        found = lock_rows(active.filter(pk=given_id)) if given_id else []
        if not found and given_id and ApiKey.objects.filter(pk=given_id).exists():
            self.refuse(entry, "belongs to a revoked or deleted key", field="id")
        if not found and title:
            found = lock_rows(active.filter(title=title).exclude(pk__in=self._places if given_id else ()))
        if len(found) > 1:
            self.refuse(entry, f"'{title}' is the title of {', '.join(key.pk for key in found)}", field="title")
        elif found and found[0].pk in self._places:
            self.refuse(entry, f"the key {found[0].pk} already appears at {self._places[found[0].pk]}")
        return found[0] if found else None

    def _token(self, entry: Entry, kind: KeyType, key: ApiKey | None) -> dict[str, str]:
        """The columns of the given token, or of a new one for a new key; none to keep the key's own."""
        given = entry.given.get("token")
        if given is None:
            return {} if key else self._new_token(entry, kind)
        columns = tokens.dumped_columns(given, kind)
        if columns is None and tokens.is_token(given, kind):
            columns = tokens.columns(given, kind)
        if columns is None:
            form = f"at least {tokens.SHORTEST} characters that begin with {tokens.PREFIXES[kind]}"
            self.refuse(entry, f"expected a token of a {kind} key, {form}", field="token")
            return {}
        owner = ApiKey.objects.filter(digest=columns["digest"]).first()
        if key and owner != key:
            self.refuse(entry, f"the key {key.pk} has another, which cannot be changed", field="token")
        elif owner != key:
            self.refuse(entry, f"belongs to the key {owner and owner.pk}", field="token")
        return columns

    def _new_token(self, entry: Entry, kind: KeyType) -> dict[str, str]:
        token = tokens.new_token(kind)
        self.announcements.append(f"The token of the {kind} key '{entry.given['title']}' is {token}")
        return tokens.columns(token, kind)

    def _owner(self, entry: Entry, kind: KeyType, key: ApiKey | None) -> User | None:
        email = entry.given.get("created_by")
        if email is None:
            if key is None and kind == KeyType.SECRET:
                self.refuse(entry, "is required: a secret key acts for a staff user", field="created_by")
            return None
        owner = User.objects.filter(Q(email=email.strip().lower()) | Q(pk=email)).first()
        if owner is None and self.problems.is_invalid(Users.key, email.strip().lower()):
            entry.is_sound = False
        elif owner is None:
            self.refuse(entry, f"there is no staff user '{email}'", field="created_by")
        elif key and owner != key.created_by:
            self.refuse(entry, f"the key {key.pk} has another, which cannot be changed", field="created_by")
        return owner

    def _channels(self, entry: Entry, kind: KeyType) -> set[str] | None:
        """The ids of the object's channels; None if it leaves them out."""
        channels = entry.given.get("sales_channels")
        if channels and kind != KeyType.PUBLISHABLE:
            self.refuse(entry, "only publishable keys have sales channels", field="sales_channels")
        return None if channels is None else set(channels)

    def _permissions(self, entry: Entry, kind: KeyType, key: ApiKey | None) -> list[str] | None:
        """What a secret key is limited to, sorted; None for all permissions of its creator."""
        if "permissions" not in entry.given:
            return None
        given = entry.given["permissions"]
        chosen = None if given is None else sorted(set(given))
        if chosen is not None and kind != KeyType.SECRET:
            self.refuse(entry, "only secret keys can be limited to permissions", field="permissions")
        elif chosen == []:
            self.refuse(entry, "must not be empty: leave it out for all permissions", field="permissions")
        elif key and chosen != key.permissions:
            self.refuse(entry, f"the key {key.pk} has others, which cannot be changed", field="permissions")
        else:
            for name in unknown_permissions(chosen or ()):
                self.refuse(entry, f"there is no permission '{name}'", field="permissions")
        return chosen

    def _is_updated(self, key: ApiKey, title: str, channels: set[str] | None) -> bool:
        """Write the title and the channels if they differ. Returns whether they did."""
        is_linked = channels is not None and _link(key, channels)
        if key.title == title and not is_linked:
            return False
        key.title = title
        key.save(update_fields=["title", "updated_at"])
        return True

    @classmethod
    def dump(cls, *, with_credentials: bool) -> Iterator[JSONObject]:
        lasting = ApiKey.objects.not_deleted().filter(revoked_at=None)
        shown = lasting.filter(Q(created_by__is_active=True) | Q(type=KeyType.PUBLISHABLE))
        if not with_credentials:
            shown = shown.filter(type=KeyType.PUBLISHABLE)
        for key in shown.select_related("created_by").order_by("pk"):
            channels = SalesChannel.objects.not_deleted().filter(api_keys=key)
            owner = key.created_by if with_credentials and key.created_by and key.created_by.is_active else None
            yield {
                "id": key.pk,
                "title": key.title,
                "type": key.type,
                "token": key.token or tokens.dumped(key.redacted, key.digest),
                "sales_channels": sorted(channels.values_list("name", flat=True)),
                **({"created_by": owner.email} if owner else {}),
                **({"permissions": key.permissions} if key.permissions is not None else {}),
                "created_at": isoformat(key.created_at),
            }


def _link(key: ApiKey, channels: set[str]) -> bool:
    """Replace the key's channels. Returns whether anything changes."""
    links = Links(ApiKey, "sales_channels", [key.pk])
    is_changed = links.link(key.pk, channels)
    links.write()
    return is_changed
