"""The names of providers for people."""


def provider_name(provider_id: str) -> str:
    """`System default` for `pp_system_default`."""
    return " ".join(dict.fromkeys(provider_id.removeprefix("pp_").split("_"))).capitalize()
