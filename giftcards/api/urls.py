"""The routes of gift cards and store credit below /store."""

from django.urls import URLPattern, path

from giftcards.api.viewsets import CartGiftCards, CartStoreCredits, GiftCards, Redemptions, StoreCreditAccounts

store = [
    path("gift-cards/<str:id_or_code>", GiftCards.as_view({"get": "retrieve"})),
    path("gift-cards/<str:id_or_code>/redeem", Redemptions.as_view({"post": "redeem"})),
    path("store-credit-accounts", StoreCreditAccounts.as_view({"get": "list"})),
    path("store-credit-accounts/<str:id>", StoreCreditAccounts.as_view({"get": "retrieve"})),
    path("carts/<str:id>/gift-cards", CartGiftCards.as_view({"post": "add", "delete": "remove"})),
    path("carts/<str:id>/store-credits", CartStoreCredits.as_view({"post": "add", "delete": "remove"})),
]
admin: list[URLPattern] = []
