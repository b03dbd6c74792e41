"""Stored promotions become what they were: active, with their products as a rule, entered by their own code."""

from django.db import migrations

from kit.values.ids import new_id

_AT_ONCE = 500


def adopt(apps, schema_editor):
    """Older versions go on reading `target` and `products`."""
    Promotion = apps.get_model("carts", "Promotion")
    PromotionRule = apps.get_model("carts", "PromotionRule")
    PromotionGate = apps.get_model("carts", "PromotionGate")
    PromotionCode = apps.get_model("carts", "PromotionCode")
    keys = {}
    living = Promotion.objects.filter(deleted_at=None).order_by("pk").values_list("pk", "code")
    for pk, code in living.iterator():
        keys.setdefault(code.strip().upper(), []).append((pk, code))
    # Codes that differ only in letter case or outer blanks need their exact text.
    alike = {pk: code for key, rows in keys.items() if len(rows) > 1 for pk, code in rows}
    goods = {}
    for promotion_id, product_id in Promotion.products.through.objects.values_list("promotion_id", "product_id"):
        goods.setdefault(promotion_id, []).append(product_id)
    stored = list(Promotion.objects.order_by("pk"))
    for start in range(0, len(stored), _AT_ONCE):
        promotions = stored[start : start + _AT_ONCE]
        rules, gates, codes = [], [], []
        for promotion in promotions:
            products = sorted(goods.get(promotion.pk, ()))
            is_shared = promotion.target == "order" and products
            promotion.status = "active"
            promotion.target_type = "items" if is_shared else promotion.target
            promotion.allocation = "across" if is_shared else "each" if promotion.target == "items" else None
            promotion.is_gated = bool(products) and promotion.is_automatic
            if products:
                given = {"kind": "target_rules", "attribute": "items.product.id", "operator": "in"}
                rules.append(PromotionRule(id=new_id("prorul"), promotion=promotion, values=products, **given))
            if promotion.is_gated:
                gates += [PromotionGate(promotion=promotion, key=f"product:{each}") for each in products]
            key = alike.get(promotion.pk, promotion.code.strip().upper())
            dates = {name: getattr(promotion, name) for name in ("created_at", "updated_at", "deleted_at")}
            codes.append(
                PromotionCode(id=new_id("procode"), promotion=promotion, code=promotion.code, code_key=key, **dates)
            )
        Promotion.objects.bulk_update(promotions, ["status", "target_type", "allocation", "is_gated"])
        PromotionRule.objects.bulk_create(rules)
        PromotionGate.objects.bulk_create(gates)
        PromotionCode.objects.bulk_create(codes)


class Migration(migrations.Migration):

    dependencies = [("carts", "0013_offers")]

    operations = [migrations.RunPython(adopt, migrations.RunPython.noop, elidable=True)]
