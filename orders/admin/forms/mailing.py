"""Sending emails of an order again."""

from collections.abc import Sequence

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from giftcards.cards import mailing
from giftcards.codes import masked
from giftcards.models import GiftCard
from kit.admin.lists.amounts import shown
from kit.domain.actor import Actor
from kit.messages.mails.models import Mail
from kit.messages.mails.repeating import can_be_sent, send_again
from kit.values.shown_dates import shown_moment
from orders.admin.forms.action_form import ActionForm
from orders.mails.gift_cards import recipients_of_cards


class MailForm(ActionForm):
    """The email to send; by default the first. Emails that have nothing to say any more are left out."""

    title = "Resend email"
    button = "Send"
    is_about_state = False

    def prepare(self) -> None:
        super().prepare()
        self.mails = {f"{mail.kind} {mail.about}": mail for mail in self.state.mails if can_be_sent(mail)}
        self.fields["mail"] = forms.ChoiceField(
            label="Email",
            choices=[(key, self._name(mail)) for key, mail in self.mails.items()],
            initial=next(iter(self.mails), None),
            widget=UnfoldAdminSelectWidget,
        )

    def effects(self) -> Sequence[str]:
        if not self.mails:
            return ["No email about this order can be sent any more."]
        first = f"Sends the email to {self.order.email}, with current data."
        return [first, *(f"{self._name(mail)}: {_last(mail)}." for mail in self.mails.values())]

    def act(self, actor: Actor) -> str:
        mail = self.mails[self.cleaned_data["mail"]]
        send_again(actor=actor, mail=mail)
        return f"The email “{self._name(mail)}” will be sent again."

    def _name(self, mail: Mail) -> str:
        """`Order placed`; with a time if there can be several of the kind."""
        name = mail.kind.replace("_", " ").capitalize()
        return name if mail.about == self.order.pk else f"{name}, {shown_moment(mail.created_at)}"


class GiftCardForm(ActionForm):
    """The gift card to send; by default the first."""

    title = "Send gift card again"
    button = "Send"
    is_about_state = False

    def prepare(self) -> None:
        super().prepare()
        self.cards = {card.pk: card for card in self.state.bought_cards}
        recipients = recipients_of_cards(self.state.bought_cards)
        self.fields["card"] = forms.ChoiceField(
            label="Gift card",
            choices=[(key, _described_card(card, recipients[key])) for key, card in self.cards.items()],
            initial=next(iter(self.cards), None),
            widget=UnfoldAdminSelectWidget,
        )

    def effects(self) -> Sequence[str]:
        return ["Sends the email with the full code again, to the recipient that the buyer chose."]

    def act(self, actor: Actor) -> str:
        card = self.cards[self.cleaned_data["card"]]
        mailing.send_again(actor=actor, card_id=card.pk)
        return f"The code of gift card {masked(card.code)} will be sent again."


def _last(mail: Mail) -> str:
    """The result of the latest attempt to send it."""
    if mail.sent_at is not None:
        return f"last sent {shown_moment(mail.sent_at)} to {mail.recipient}"
    return str(mail.status.label).lower()


def _described_card(card: GiftCard, recipient: str | None) -> str:
    return f"{masked(card.code)}, {shown(card.value, card.currency_id)}, to {recipient or 'nobody'}"
