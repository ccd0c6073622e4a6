from django.urls import path

from merchants import brand_pages

app_name = "brand"
urlpatterns = [
    path("<int:version>/<str:colour>.css", brand_pages.stylesheet, name="stylesheet"),
    path("logo/<str:digest>", brand_pages.logo, name="logo"),
]
