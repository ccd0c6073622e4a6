"""Each change of these tables gives them a new version. The locks are short, the tables small."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0012_catalogue_versions'),
        ('topup', '0004_at_rail'),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name='operator',
            trigger=pgtrigger.compiler.Trigger(name='renews_catalogue', sql=pgtrigger.compiler.UpsertTriggerSql(func='\nINSERT INTO core_catalogueversion (name, version) VALUES (TG_TABLE_NAME, gen_random_uuid())\nON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version;\nRETURN NULL;\n', hash='f5c45b01834fd61eeaa12be6d72b777d9197b0a1', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_renews_catalogue_c0a4c', table='topup_operator', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='topupterms',
            trigger=pgtrigger.compiler.Trigger(name='renews_catalogue', sql=pgtrigger.compiler.UpsertTriggerSql(func='\nINSERT INTO core_catalogueversion (name, version) VALUES (TG_TABLE_NAME, gen_random_uuid())\nON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version;\nRETURN NULL;\n', hash='3ab4756a96e184204039e92dbe3b3f84fd77cd39', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_renews_catalogue_210f4', table='topup_topupterms', when='AFTER')),
        ),
    ]
