from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('mails', '0001_initial'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='mail',
            index=models.Index(fields=['about'], name='mails_mail_about'),
        ),
    ]
