from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payout', '0006_team_approvals'),
    ]

    operations = [
        migrations.AddField(
            model_name='payout',
            name='needs_team_approval',
            field=models.BooleanField(db_default=False, default=False, verbose_name="waits for the merchant's team"),
        ),
        migrations.AddField(
            model_name='payout',
            name='reference',
            field=models.CharField(blank=True, db_default='', default='', max_length=100, verbose_name='reference'),
        ),
    ]
