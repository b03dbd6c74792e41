"""`manage.py reseal`: after a change of SECRET_KEY."""

from django.core.management.base import CommandError

from auth.sessions.session_resealing import reseal_sessions
from kit.commands.operator_command import OperatorCommand
from kit.commands.progress_bars import with_bar
from kit.messages.webhooks.endpoints.resealing import reseal_secrets


class Command(OperatorCommand):
    """Safe to interrupt and to run again, also while the shop serves."""

    help = (
        "After a change of SECRET_KEY: encrypt webhook secrets and sign sessions again with the new one, so that they "
        "no longer need SECRET_KEY_FALLBACKS. Stored answers need it until they expire, 24 hours after the change."
    )
    examples = ("reseal",)
    interruption = "what was rewritten is kept; run the command again to rewrite the rest"

    def handle(self, **options: object) -> None:
        secrets, unreadable = reseal_secrets()
        self.stdout.write(f"{secrets} webhook secrets rewritten")
        self.stdout.flush()
        self.stdout.write(f"{reseal_sessions(with_bar)} sessions rewritten")
        if unreadable:
            named = ", ".join(f"{address.url} ({address.pk})" for address in unreadable)
            raise CommandError(
                f"Neither SECRET_KEY nor SECRET_KEY_FALLBACKS opens the secrets of {named}. Add the former SECRET_KEY "
                "to SECRET_KEY_FALLBACKS and run this again, or run `manage.py webhooks rotate` for each."
            )
