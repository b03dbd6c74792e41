"""The resources of users and invitations, shared by REST and GraphQL."""

from dataclasses import replace

from kit.reads.resources import Resource
from staff.api.filters import InviteFilters, UserFilters
from staff.api.serializers import InviteSerializer, MeSerializer, UserSerializer

USERS = Resource(
    name="user",
    plural="users",
    serializer_class=UserSerializer,
    filterset_class=UserFilters,
    default_limit=50,
)
ME = replace(USERS, serializer_class=MeSerializer)
INVITES = Resource(
    name="invite",
    plural="invites",
    serializer_class=InviteSerializer,
    filterset_class=InviteFilters,
    default_limit=50,
)
