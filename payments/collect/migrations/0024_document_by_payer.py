from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('collect', '0023_dispute_files'),
    ]

    operations = [
        migrations.AddField(
            model_name='order',
            name='document_by_payer',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
