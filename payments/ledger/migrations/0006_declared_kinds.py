"""The choices of an entry's kind are asked of the products: the table stays as it is."""

import payments.ledger.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ledger', '0005_after_payment'),
    ]

    operations = [
        migrations.AlterField(
            model_name='entry',
            name='kind',
            field=models.CharField(choices=payments.ledger.models.entry_kinds, max_length=40, verbose_name='kind'),
        ),
    ]
