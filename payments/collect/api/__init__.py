"""The endpoints of /collect, one module for each noun."""

from payments.collect.api.orders import OrderDetail, OrderViewSet

__all__ = ["OrderDetail", "OrderViewSet"]
