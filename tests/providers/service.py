"""What the service does for an adapter between its calls, without the service."""

import json
from dataclasses import replace

from payments.providers.ports import Known


class Keeper:
    """An adapter with a memory: state and the rail's ids, by reference. State goes through JSON."""

    def __init__(self, adapter):
        self.adapter = adapter
        self.states = {}
        self.provider_ids = {}

    def __getattr__(self, name):
        return getattr(self.adapter, name)

    def start(self, request, timeout):
        started = self.adapter.start(self._with_state(request), timeout)
        self.provider_ids[request.reference] = started.provider_id
        return started

    def send(self, request, timeout):
        return self._learn(self.adapter.send(self._with_state(request), timeout))

    def query(self, reference):
        known = Known(
            reference=reference,
            provider_id=self.provider_ids.get(reference, ""),
            state=self.state_of(reference),
        )
        return self._learn(self.adapter.query(known))

    def _with_state(self, request):
        reference = request.reference

        def save(state):
            self.states[reference] = json.dumps(state)

        return replace(request, state=self.state_of(reference), save=save)

    def state_of(self, reference):
        return json.loads(self.states.get(reference, "{}"))

    def _learn(self, update):
        if update.provider_id:
            self.provider_ids.setdefault(update.reference, update.provider_id)
        learned = {**self.state_of(update.reference), **getattr(update, "learned", {})}
        self.states[update.reference] = json.dumps(learned)
        return update
