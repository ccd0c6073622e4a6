"""Routes of /settlements."""

urlpatterns: list = []
