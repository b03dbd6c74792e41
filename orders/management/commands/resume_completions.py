"""`manage.py resume_completions`: finishes completions whose request is gone; `serve` runs it once a minute."""

from django.core.management.base import BaseCommand

from orders.completion.resuming import resume_all


class Command(BaseCommand):
    """For carts that were paid while nobody waited, and for attempts that no process finished."""

    help = "Settle open attempts to complete a cart, complete paid carts, and refund money that no order claims."

    def handle(self, *, verbosity: int, **options: object) -> None:
        done = resume_all()
        if verbosity:
            self.stdout.write(f"{done.attempts} attempts and {done.carts} carts resumed, {done.refunds} refunded")
