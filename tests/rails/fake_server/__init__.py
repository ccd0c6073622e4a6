"""What the strict fake servers of real rails share: state, faults, events and the control endpoint.

A fake server is a program of its own that speaks HTTP on 127.0.0.1. It is written from the rail's
public documents and knows no adapter. `python -m tests.rails.<rail> --port N --state-file PATH`
starts it; a test starts it in a thread with `RunningServer`. Its state survives a kill. A test
settles what the fake does and reads what it saw over `/_control/` (also on a port of its own, which
stays open when the rail refuses connections):

GET     /_control/state         settings, rows, deliveries, counts of requests, complaints
POST    /_control/settings      {"name": value}; the names are in the docstring of each rail
POST    /_control/faults        {"on": "POST /v1/transactions", "fault": "lose_answer", "times": 1}
DELETE  /_control/faults        no fault is left
POST    /_control/outage        {"seconds": 2} no connection is accepted; null until {"seconds": 0}
POST    /_control/events        {"event": "…", "data": {…}} sends a signed event of any content
DELETE  /_control/complaints    forgets them
POST    /_control/reset         forgets everything except the settings

Settings of every rail:
clock_skew_seconds    0; moves dates, event timestamps, the lives of tokens and the Date header
unknown_fields        "complain" or "refuse" [?]
search_lag_seconds    0; how long a new row is missing from lists and searches by reference, while
                      its own id already answers

Faults (`faults.py`): lose_answer, lose_request, error_500, bad_gateway, too_many, conflict,
invalid_json, slow_drip, delay. Settings of events: `events.py`.

A complaint is a mistake of the client which a rail may or may not refuse: a field that no document
names, a wrong credential, a reused token. The tests of an adapter assert that there is none.
"""
