"""Customers get search documents."""

from django.db import migrations

import kit.search.documents


class Migration(migrations.Migration):
    dependencies = [("customers", "0004_tax_exemption")]

    operations = [
        migrations.AddField(
            model_name="customer",
            name="document",
            field=kit.search.documents.DocumentField(
                columns=("email", "first_name", "last_name", "company_name", "phone"), db_default=""
            ),
        ),
    ]
