from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('carts', '0006_with_email'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='cart',
            index=models.Index(condition=models.Q(('email__isnull', False)), fields=['email'], name='carts_cart_of_email'),
        ),
    ]
