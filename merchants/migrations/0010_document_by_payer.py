from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('merchants', '0009_endpoint_kinds'),
    ]

    operations = [
        migrations.AddField(
            model_name='merchant',
            name='document_by_payer',
            field=models.BooleanField(db_default=False, default=False, verbose_name='orders may leave the document to the payment page'),
        ),
    ]
