import django.db.models.functions.text
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    """Indexes of the console, made beside the traffic."""

    atomic = False

    dependencies = [
        ("collect", "0006_receipt_codes"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="order",
            index=models.Index(django.db.models.functions.text.Lower("customer_email"), name="order_customer_email"),
        ),
        AddIndexConcurrently(
            model_name="order",
            index=models.Index(condition=models.Q(("paid_at__isnull", False)), fields=["paid_at"], include=("merchant", "currency", "amount"), name="order_paid"),
        ),
        AddIndexConcurrently(
            model_name="charge",
            index=models.Index(condition=models.Q(("provider_id", ""), _negated=True), fields=["provider_id"], name="charge_provider_id"),
        ),
        AddIndexConcurrently(
            model_name="refund",
            index=models.Index(condition=models.Q(("provider_id", ""), _negated=True), fields=["provider_id"], name="refund_provider_id"),
        ),
        AddIndexConcurrently(
            model_name="dispute",
            index=models.Index(fields=["provider_reference"], name="dispute_provider_reference"),
        ),
        AddIndexConcurrently(
            model_name="unmatchedfunds",
            index=models.Index(condition=models.Q(("trace_code", ""), _negated=True), fields=["trace_code"], name="unmatched_trace_code"),
        ),
        AddIndexConcurrently(
            model_name="unmatchedfunds",
            index=models.Index(condition=models.Q(("status", "OPEN")), fields=["id"], name="unmatched_open"),
        ),
    ]
