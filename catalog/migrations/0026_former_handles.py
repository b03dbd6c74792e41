"""Titles and descriptions for search engines, and the handles that rows had before."""

import django.db.models.deletion
from django.db import migrations, models


def _former_handles(model: str, owner: str) -> migrations.CreateModel:
    relation = models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE, related_name="former_handles", to=f"catalog.{owner}"
    )
    return migrations.CreateModel(
        model,
        [
            ("handle", models.CharField(max_length=255, primary_key=True, serialize=False)),
            ("owner", relation),
        ],
        {"abstract": False},
    )


class Migration(migrations.Migration):
    dependencies = [("catalog", "0025_refolded_search")]

    operations = [
        migrations.AddField("product", "seo_title", models.CharField(max_length=255, null=True, blank=True)),
        migrations.AddField("product", "seo_description", models.TextField(null=True, blank=True)),
        migrations.AddField("productcollection", "seo_title", models.CharField(max_length=255, null=True, blank=True)),
        migrations.AddField("productcollection", "seo_description", models.TextField(null=True, blank=True)),
        migrations.AddField("productcategory", "seo_title", models.CharField(max_length=255, null=True, blank=True)),
        migrations.AddField("productcategory", "seo_description", models.TextField(null=True, blank=True)),
        _former_handles("FormerProductHandle", "product"),
        _former_handles("FormerCollectionHandle", "productcollection"),
        _former_handles("FormerCategoryHandle", "productcategory"),
    ]
