"""The endpoints of /collect, one module for each noun."""

from payments.collect.api.direct import DirectViewSet
from payments.collect.api.orders import OrderDetail, OrderViewSet

__all__ = ["DirectViewSet", "OrderDetail", "OrderViewSet"]
