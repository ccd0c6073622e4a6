"""What every act of these pages has in common: only what would do something now is offered."""

from collections.abc import Callable
from typing import Any

from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from payments.core.console import Act, ReadOnlyAdmin
from payments.core.errors import ServiceError


class ActsAdmin(ReadOnlyAdmin):
    """The buttons of a record's page. A subclass lists them in `actions_detail`."""

    def possible(self, row: Any) -> set[str]:
        """The names of the acts that would do something now."""
        raise NotImplementedError

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> Any:
        """Only what would do something now."""
        row = self.model._default_manager.filter(pk=unquote(object_id)).first()
        names = self.possible(row) if row is not None else set()
        prefix = f"{self.opts.app_label}_{self.opts.model_name}_"
        return [
            item
            for item in super().get_actions_detail(request, object_id)
            if item.action_name.removeprefix(prefix) in names
        ]

    def act(
        self,
        request: HttpRequest,
        object_id: str,
        act: Act,
        perform: Callable[[Any, dict[str, Any]], object],
        rows: Callable[[Any], list[str]],
    ) -> HttpResponse:
        """Asks first; then `perform(record, form)`, once."""
        row = self.found(request, object_id)

        def done(form: dict[str, Any]) -> HttpResponse:
            try:
                perform(row, form)
            except ServiceError as error:  # what services refuse, in the operator's language
                error.message = gettext(error.message)
                raise
            self.message_user(request, gettext("Done: %s") % act.title)
            return redirect(self.back_url(row))

        return self.ask(request, row, act, done, rows=rows(row))
