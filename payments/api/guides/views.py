"""GET /docs/guides, its pages and their Markdown; GET /docs/reference.md and /llms.txt."""

import re
from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from payments.api.docs import demo, in_language
from payments.api.guides import index, library
from payments.api.guides.library import Guide
from payments.api.guides.rendering import render
from payments.api.reference import markdown

MARKDOWN = "text/markdown; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
_HEADING = re.compile(r"^(#+ )", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
# As the guides write them, and what the page of a developer's own machine has instead.
PLACEHOLDERS = {
    "pk_...": "apiKey",
    "sk_...": "apiSecret",
    "whsec_...": "webhookSecret",
    "mer_...": "merchantId",
}


@gzip_page
@require_safe
@in_language
def guides_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse(_contents(_language()))


@gzip_page
@require_safe
@in_language
def guide_view(request: HttpRequest, slug: str) -> HttpResponse:
    """On a developer's machine the commands contain the demo keys."""
    own = demo(request)
    values = tuple((each, own[name]) for each, name in PLACEHOLDERS.items() if own.get(name))
    response = HttpResponse(_page(_guide(slug, _language()), values))
    response.headers["Cache-Control"] = "no-store" if values else "no-cache"
    return response


@gzip_page
@require_safe
def markdown_view(request: HttpRequest, language: str, slug: str) -> HttpResponse:
    return HttpResponse(_guide(slug, language).text, MARKDOWN)


@gzip_page
@require_safe
@in_language
def index_view(request: HttpRequest) -> HttpResponse:
    """What the search of the pages reads."""
    response = JsonResponse(index.entries(_language()), safe=False)
    response.headers["Cache-Control"] = "no-cache"
    return response


@gzip_page
@require_safe
def reference_view(request: HttpRequest) -> HttpResponse:
    rules = _HEADING.sub(r"#\1", _guide("requests", "en").text)
    return HttpResponse(markdown.reference(settings.PUBLIC_URL, rules), MARKDOWN)


@require_safe
def llms_view(request: HttpRequest) -> HttpResponse:
    return HttpResponse(index.llms(settings.PUBLIC_URL), TEXT)


def _guide(slug: str, language: str) -> Guide:
    try:
        return library.guide(slug, language)
    except (KeyError, FileNotFoundError):
        raise Http404 from None


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE


@lru_cache(maxsize=2)
def _contents(language: str) -> str:
    return render_to_string("docs/guides.html", {"guides": library.guides(language)})


def _filled(command: str, values: tuple[tuple[str, str], ...]) -> str:
    for placeholder, value in values:
        command = command.replace(placeholder, value)
    return command


@lru_cache(maxsize=64)
def _page(guide: Guide, values: tuple[tuple[str, str], ...]) -> str:
    text = _FENCE.sub(lambda found: _filled(found[0], values), guide.text)
    facts = {"guide": guide, "guides": library.guides(guide.language), "rendered": render(text)}
    return render_to_string("docs/guide.html", facts)
