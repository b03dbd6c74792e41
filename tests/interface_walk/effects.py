"""What each parameter of a list does to it: the names of its rows, in their order, as the walk's shop has them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Effect:
    """parameter: what is shown. query: REST's, arguments: GraphQL's; both may name what `shop` has."""

    parameter: str
    query: str
    arguments: str
    rows: tuple[str, ...]


def _effects(*rows: tuple[str, str, str, str]) -> tuple[Effect, ...]:
    return tuple(
        Effect(parameter, query, arguments, tuple(names.split("|"))) for parameter, query, arguments, names in rows
    )


CART = "cart_id={shop.cart.pk}"
CART_ARGUMENT = 'cartId: "{shop.cart.pk}"'
EFFECTS = {
    "GET /store/product-categories": _effects(
        ("offset", "offset=6", "offset: 6", "Juice_A|100% Juice"),
        ("limit", "limit=2", "limit: 2", "Food|Fruit"),
        ("order", "order=created_at&limit=3", 'order: "createdAt", limit: 3', "Food|Fruit|Apples"),
        ("order", "order=-created_at&limit=3", 'order: "-createdAt", limit: 3', "100% Juice|Juice_A|Drinks"),
        ("q", "q=fresh", 'q: "fresh"', "Fruit|Vegetables"),
        ("id", "id={shop.categories[Pears].pk}", 'id: "{shop.categories[Pears].pk}"', "Pears"),
        ("description", "description=cloudy", 'description: "cloudy"', "Juice_A"),
        ("handle", "handle=apples", 'handle: "apples"', "Apples"),
        ("name", "name[]=Food&name[]=Drinks", 'name: ["Food", "Drinks"]', "Food|Drinks"),
        (
            "parent_category_id",
            "parent_category_id={shop.categories[Fruit].pk}",
            'parentCategoryId: "{shop.categories[Fruit].pk}"',
            "Apples|Pears",
        ),
        ("parent_category_id", "parent_category_id=null", "parentCategoryId: null", "Food|Drinks"),
        ("created_at", "created_at[$gte]=2026-03-07", 'createdAt: {{gte: "2026-03-07"}}', "Juice_A|100% Juice"),
        ("updated_at", "updated_at[$lt]=2026-03-02", 'updatedAt: {{lt: "2026-03-02"}}', "Food"),
        ("$and", "$and[0][q]=fresh&$and[1][handle]=fruit", 'and: [{{q: "fresh"}}, {{handle: "fruit"}}]', "Fruit"),
        ("$or", "$or[0][name]=Pears&$or[1][handle]=food", 'or: [{{name: "Pears"}}, {{handle: "food"}}]', "Food|Pears"),
        ("with_deleted", "with_deleted=true&offset=7", "withDeleted: true, offset: 7", "100% Juice|Candy"),
    ),
    "GET /store/shipping-options": _effects(
        ("cart_id", CART, CART_ARGUMENT, "Parcel|Express|Pickup"),
        ("cart_id", "cart_id={shop.cart_abroad.pk}", 'cartId: "{shop.cart_abroad.pk}"', "Colis"),
        ("offset", f"{CART}&offset=1", f"{CART_ARGUMENT}, offset: 1", "Express|Pickup"),
        ("limit", f"{CART}&limit=1", f"{CART_ARGUMENT}, limit: 1", "Parcel"),
        ("order", f"{CART}&order=name", f'{CART_ARGUMENT}, order: "name"', "Express|Parcel|Pickup"),
        ("order", f"{CART}&order=-name", f'{CART_ARGUMENT}, order: "-name"', "Pickup|Parcel|Express"),
        ("is_return", f"{CART}&is_return=true", f"{CART_ARGUMENT}, isReturn: true", "Pickup|Return"),
        ("$and", f"{CART}&$and[0][is_return]=true", f"{CART_ARGUMENT}, and: [{{{{isReturn: true}}}}]", "Pickup|Return"),
        (
            "$or",
            f"{CART}&$or[0][is_return]=true&$or[1][is_return]=false",
            f"{CART_ARGUMENT}, or: [{{{{isReturn: true}}}}, {{{{isReturn: false}}}}]",
            "Parcel|Express|Pickup|Return",
        ),
    ),
    "GET /store/store-credit-accounts": _effects(
        ("currency_code", "currency_code=eur", 'currencyCode: "eur"', "eur"),
        ("created_at", "created_at[$gt]=2026-03-02", 'createdAt: {{gt: "2026-03-02"}}', "eur|jpy"),
        ("updated_at", "updated_at[$lte]=2026-03-03", 'updatedAt: {{lte: "2026-03-03"}}', "eur"),
        ("limit", "limit=1", "limit: 1", "usd"),
        ("offset", "offset=1", "offset: 1", "eur|jpy"),
        ("order", "order=currency_code", 'order: "currencyCode"', "eur|jpy|usd"),
        ("order", "order=-currency_code", 'order: "-currencyCode"', "usd|jpy|eur"),
        (
            "$and",
            "$and[0][currency_code]=jpy&$and[1][created_at][$gt]=2026-03-02",
            'and: [{{currencyCode: "jpy"}}, {{createdAt: {{gt: "2026-03-02"}}}}]',
            "jpy",
        ),
        (
            "$or",
            "$or[0][currency_code]=usd&$or[1][currency_code]=jpy",
            'or: [{{currencyCode: "usd"}}, {{currencyCode: "jpy"}}]',
            "usd|jpy",
        ),
    ),
}
