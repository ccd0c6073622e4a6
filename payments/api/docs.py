"""The OpenAPI document and the page that shows it; nothing is loaded from elsewhere."""

from csp.decorators import csp_replace
from django.conf import settings
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView

from payments.api.renderers import EnvelopeRenderer


class OpenApiView(SpectacularJSONAPIView):
    """GET {base_url}/openapi.json, for everyone."""

    renderer_classes = [EnvelopeRenderer]  # knows the defaults that are JSON text already
    authentication_classes = []


class DocsView(SpectacularSwaggerSplitView):
    """GET /docs: the document as a page, and its start script with ?script."""

    authentication_classes = []
    url_name = "openapi"
    template_name = "docs/swagger.html"


openapi_view = OpenApiView.as_view()
docs_view = csp_replace(settings.DOCS_CONTENT_SECURITY_POLICY)(DocsView.as_view())
