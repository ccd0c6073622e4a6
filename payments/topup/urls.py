"""Routes of /topup."""

urlpatterns: list = []
