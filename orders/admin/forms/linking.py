"""Making a link by which the customer pays what the order still owes."""

from collections.abc import Sequence

from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.values.money import major
from orders.admin.forms.action_form import ActionForm
from orders.managing.payment_links import creation
from payments.requests.offered_providers import offered_by_link
from shop.provider_name import provider_name


class PaymentLinkForm(ActionForm):
    """Whether the customer gets the link by email. If not, it is shown, once."""

    title = "Send payment link"
    button = "Make link"

    def prepare(self) -> None:
        super().prepare()
        self.outstanding = shown(major(self.state.outstanding), self.order.currency_id)
        self.providers = offered_by_link(self.order.pk)
        self.offer_mail("with the link. If not, the link is shown on the next page, once")

    def effects(self) -> Sequence[str]:
        if not self.providers:
            return ["No link can be sent: the order's region offers no payment provider that asks the customer."]
        offered = ", ".join(provider_name(each) for each in self.providers)
        return [
            f"Makes a link by which {self.outstanding} can be paid, by {offered}.",
            "Whoever has the link can pay. It asks for what is still owed when it is opened.",
        ]

    def act(self, actor: Actor) -> str:
        is_mailed = bool(self.state.mailed_to) and not self.no_notification
        link_id = creation.create(actor=actor, order_id=self.order.pk, no_notification=not is_mailed)
        self.shown_once = "" if is_mailed else str(creation.made(link_id)["url"])
        return f"Payment link over {self.outstanding} {'made and emailed' if is_mailed else 'made'}."
