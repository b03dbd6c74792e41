"""Which permission a refused request lacked, and what it permits in plain words."""

from django.apps import apps
from django.http import HttpRequest

_ACTS = {"changelist": "view", "history": "view", "add": "add", "change": "change", "delete": "delete"}


def missing_permission(request: HttpRequest) -> str | None:
    """The permission of the page, if its model has one for it; else the last that the user was found to lack."""
    match = request.resolver_match
    names, _, view = (match.url_name or "" if match else "").rpartition("_")
    app_label, _, model_name = names.rpartition("_")
    act = "view" if view == "change" and request.method == "GET" else _ACTS.get(view)
    if act is None or not _has_permission(app_label, model_name, act):
        return getattr(request.user, "lacked_permission", None)
    permission = f"{app_label}.{act}_{model_name}"
    return None if request.user.has_perm(permission) else permission


def _has_permission(app_label: str, model_name: str, act: str) -> bool:
    """Whether there is a permission for it: not for the model of a page of passwords, or for a proxy without any."""
    model = apps.all_models.get(app_label, {}).get(model_name)
    return model is not None and act in model._meta.default_permissions


def permitted_act(permission: str) -> str:
    """`view products`, `export orders`; the name of the permission if no model has it."""
    app_label, _, codename = permission.partition(".")
    for model in apps.get_app_config(app_label).get_models():
        named = dict(model._meta.permissions)
        for act in model._meta.default_permissions:
            named[f"{act}_{model._meta.model_name}"] = f"{act} {model._meta.verbose_name_plural}"
        if codename in named:
            return str(named[codename]).removeprefix("Can ")
    return codename.replace("_", " ")
