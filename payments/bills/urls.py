"""Routes of /bills."""

urlpatterns: list = []
