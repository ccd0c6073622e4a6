from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0009_console_apart'),
    ]

    operations = [
        migrations.AddField(
            model_name='transition',
            name='reason_code',
            field=models.CharField(blank=True, db_default='', default='', max_length=30),
        ),
    ]
