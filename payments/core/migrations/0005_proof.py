from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0004_saved_filters'),
    ]

    operations = [
        migrations.CreateModel(
            name='Proof',
            fields=[
                ('name', models.CharField(max_length=40, primary_key=True, serialize=False)),
                ('checked_at', models.DateTimeField()),
                ('passed_at', models.DateTimeField(null=True)),
            ],
        ),
    ]
