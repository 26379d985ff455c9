"""Uses a client generated from /openapi.json: imports every operation and model, and calls some."""

import datetime
import importlib
import pkgutil
import sys
import time

import service
from service import Client
from service.api.events import create_event, get_event, list_events
from service.api.service import get_health
from service.api.users import change_user, create_transaction_of_user, create_user, get_user_wallet
from service.models import CheerEvent, NewCheerEvent, NewTransactionOfUser, NewUser, Problem, UserChanges

for module in pkgutil.walk_packages(service.__path__, "service."):
    importlib.import_module(module.name)

client = Client(base_url=sys.argv[1])
assert get_health.sync(client=client).status == "ok"
user = create_user.sync(client=client, body=NewUser(platform_id=f"python-{time.time_ns()}", name="Ann"))
occurred_at = datetime.datetime(2026, 11, 20, 16, 53, 2, tzinfo=datetime.UTC)
cheer = NewCheerEvent(
    event_type="cheer", amount=100, user_id=user.user_id, user_name="Ann", occurred_at=occurred_at
)
event = create_event.sync(client=client, body=cheer)
assert isinstance(event, CheerEvent), event
assert (event.amount, event.occurred_at, event.user.name) == (100, occurred_at, "Ann")
assert get_event.sync(event.event_id, client=client) == event
assert [one.event_id for one in list_events.sync(client=client, user_id=user.user_id)] == [event.event_id]
create_transaction_of_user.sync(user.user_id, client=client, body=NewTransactionOfUser(amount=250, description="welcome"))
assert get_user_wallet.sync(user.user_id, client=client).wallet == 250
refused = change_user.sync(user.user_id, client=client, body=UserChanges(name=""))
assert isinstance(refused, Problem) and refused.errors[0].pointer == "/name"
print("the Python client works")
