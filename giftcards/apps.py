from django.apps import AppConfig


class GiftCardsConfig(AppConfig):
    name = "giftcards"
    verbose_name = "Gift cards"
