"""Each change of these tables gives them a new version. The locks are short, the tables small."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0012_catalogue_versions'),
        ('payout', '0010_metadata'),
    ]

    operations = [
        pgtrigger.migrations.AddTrigger(
            model_name='bank',
            trigger=pgtrigger.compiler.Trigger(name='renews_catalogue', sql=pgtrigger.compiler.UpsertTriggerSql(func='\nINSERT INTO core_catalogueversion (name, version) VALUES (TG_TABLE_NAME, gen_random_uuid())\nON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version;\nRETURN NULL;\n', hash='363edd9bde678b354390587394d7c28c05e2da84', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_renews_catalogue_14987', table='payout_bank', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='payoutmethod',
            trigger=pgtrigger.compiler.Trigger(name='renews_catalogue', sql=pgtrigger.compiler.UpsertTriggerSql(func='\nINSERT INTO core_catalogueversion (name, version) VALUES (TG_TABLE_NAME, gen_random_uuid())\nON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version;\nRETURN NULL;\n', hash='c05ecb8ec83322f849dabbb3d4b036de1837fce4', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_renews_catalogue_1eee3', table='payout_payoutmethod', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='payoutswitch',
            trigger=pgtrigger.compiler.Trigger(name='renews_catalogue', sql=pgtrigger.compiler.UpsertTriggerSql(func='\nINSERT INTO core_catalogueversion (name, version) VALUES (TG_TABLE_NAME, gen_random_uuid())\nON CONFLICT (name) DO UPDATE SET version = EXCLUDED.version;\nRETURN NULL;\n', hash='7b004120dfd518d9449ff0a22459ff4304a1c338', level='STATEMENT', operation='INSERT OR UPDATE OR DELETE OR TRUNCATE', pgid='pgtrigger_renews_catalogue_7a043', table='payout_payoutswitch', when='AFTER')),
        ),
    ]
