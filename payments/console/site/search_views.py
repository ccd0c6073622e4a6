"""Views of the search page, of the Ctrl-K palette, and of saved filters."""

import itertools
import time

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import SearchResult
from unfold.sites import UnfoldAdminSite

from payments.console import own_search, saved_filters, tenancy
from payments.console.site.navigation import navigation
from payments.console.site.search import HITS_MAX, Hit, clean, find, single_exact_hit

PALETTE_MAX = 30


class SearchViews(UnfoldAdminSite):
    """`/admin/search/?q=` is the page, `?s=` the palette of the theme."""

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [*saved_filters.urls(self), *super().get_urls()]

    def search(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Redirects to the only exact hit."""
        if "s" in request.GET:
            return self._palette(request, clean(request.GET["s"]))
        term = clean(request.GET.get("q", ""))
        hits = find(request, term) if term else []
        if (hit := single_exact_hit(hits)) is not None:
            return redirect(hit.url)
        context = {
            **self.each_context(request),
            "title": _("Search"),
            "term": term,
            "groups": _groups(hits),
            "most": HITS_MAX,
            "is_merchant": tenancy.is_merchant_user(request),
            "days": own_search.DAYS,
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/search.html", context)

    def _palette(self, request: HttpRequest, term: str) -> HttpResponse:
        """Menu entries with the term in their title, then records.

        Not cached, because rows change.
        """
        if not term:
            return HttpResponse()
        began = time.perf_counter()
        results = [*_pages(request, term), *_records(request, term)][:PALETTE_MAX]
        pages = Paginator(results, PALETTE_MAX)
        context = {
            "page_obj": pages,
            "results": pages.page(1),
            "page_counter": 0,
            "execution_time": time.perf_counter() - began,
            "command_show_history": False,
        }
        template = (
            "unfold/helpers/command_results.html"
            if "extended" in request.GET
            else "unfold/helpers/search_results.html"
        )
        return TemplateResponse(request, template, context, headers={"HX-Trigger": "search"})


def _groups(hits: list[Hit]) -> list[dict[str, object]]:
    """Hits of one kind. `why` is the field by which all of them were found."""
    groups: list[dict[str, object]] = []
    for name, found in itertools.groupby(hits, key=lambda hit: hit.plural):
        of_kind = list(found)
        fields = {hit.why for hit in of_kind}
        why = fields.pop() if len(fields) == 1 and len(of_kind) > 1 else ""
        groups.append({"name": name, "hits": of_kind, "why": why})
    return groups


def _pages(request: HttpRequest, term: str) -> list[SearchResult]:
    return [
        SearchResult(
            title=str(item["title"]),
            description=gettext("page"),
            link=item["link"],
            icon=item["icon"],
        )
        for group in navigation(request)
        for item in group["items"]
        if term.lower() in str(item["title"]).lower()
    ]


def _records(request: HttpRequest, term: str) -> list[SearchResult]:
    return [
        SearchResult(
            title=hit.title,
            description=" · ".join(filter(None, [hit.kind, hit.what])),
            link=hit.url,
            icon="data_object",
        )
        for hit in find(request, term)
    ]
