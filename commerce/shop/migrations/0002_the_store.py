from django.db import migrations


def make_the_store(apps, schema_editor):
    channel = apps.get_model("shop", "SalesChannel").objects.create(name="Default Sales Channel")
    apps.get_model("shop", "Store").objects.create(name="Store", default_sales_channel=channel)
    apps.get_model("shop", "PaymentProvider").objects.create(id="pp_system_default")
    apps.get_model("shop", "FulfillmentProvider").objects.create(id="manual_manual")


class Migration(migrations.Migration):
    dependencies = [("shop", "0001_initial")]
    operations = [migrations.RunPython(make_the_store, migrations.RunPython.noop)]
