"""A merchant, its key, and an order with the contract's fields and nothing else."""

from django.db import models


class Merchant(models.Model):
    """Who asks."""

    name = models.CharField(max_length=200)
    is_active = models.BooleanField(default=True)

    is_authenticated = True

    def __str__(self) -> str:
        return self.name


class Key(models.Model):
    """The secret is a hash, as in the service."""

    merchant = models.ForeignKey(Merchant, on_delete=models.PROTECT)
    public_key = models.CharField(max_length=64, unique=True)
    secret_hash = models.BinaryField(max_length=32)

    def __str__(self) -> str:
        return self.public_key


class Order(models.Model):
    """What POST /collect takes and answers."""

    id = models.CharField(primary_key=True, max_length=32)
    merchant = models.ForeignKey(Merchant, on_delete=models.PROTECT, db_index=False)
    reference = models.CharField(max_length=100)
    amount = models.DecimalField(max_digits=20, decimal_places=2)
    base_amount = models.DecimalField(max_digits=20, decimal_places=2)
    fee_amount = models.DecimalField(max_digits=20, decimal_places=2)
    currency = models.CharField(max_length=4)
    description = models.CharField(max_length=500)
    customer_name = models.CharField(max_length=200)
    customer_email = models.CharField(max_length=254)
    customer_doc_type = models.CharField(max_length=3)
    customer_doc_number = models.CharField(max_length=40)
    status = models.CharField(max_length=20)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["merchant", "reference"], name="once")]

    def __str__(self) -> str:
        return self.id
