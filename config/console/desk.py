"""The site's own views beside the pages of records: search, its palette, saved filters."""

import time
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import SearchResult
from unfold.sites import UnfoldAdminSite

from config.console import searching
from config.console.navigation import navigation
from payments.console import saved_filters

PALETTE_MAX = 30


class DeskPages(UnfoldAdminSite):
    """`/admin/search/?q=` is a page; `?s=` is what the palette of the theme asks for."""

    def get_urls(self) -> list[URLPattern]:
        """With the saved filters."""
        return [*saved_filters.urls(self), *super().get_urls()]

    def search(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """One exact hit is where the person wanted to go."""
        if "s" in request.GET:
            return self._palette(request, searching.clean(request.GET["s"]))
        term = searching.clean(request.GET.get("q", ""))
        hits = searching.find(request, term) if term else []
        if (hit := searching.only(hits)) is not None:
            return redirect(hit.url)
        context = {
            **self.each_context(request),
            "title": _("Search"),
            "term": term,
            "hits": hits,
            "most": searching.FOUND_MAX,
            **(extra_context or {}),
        }
        return TemplateResponse(request, "admin/search.html", context)

    def _palette(self, request: HttpRequest, term: str) -> HttpResponse:
        """Pages whose name holds the term, and what is found. Nothing is cached: rows change."""
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
        for hit in searching.find(request, term)
    ]
