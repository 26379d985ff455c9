"""Uses a client generated from /openapi.json: imports every operation and model, and calls some."""

import base64
import datetime
import importlib
import io
import pkgutil
import re
import sys
import time

import service
from service import Client
from service.api.documents import create_document
from service.api.events import create_event, get_event, list_events
from service.api.service import get_health
from service.api.users import change_user, create_transaction_of_user, create_user, get_wallet_of_user
from service.models import CheerEvent, CreateDocumentFilesBody, NewCheerEvent, NewStampOfDocument, NewTransactionOfUser
from service.models import NewUser, Problem, UserChanges
from service.types import File

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
assert [one.event_id for one in list_events.sync(client=client, user_id=[user.user_id])] == [event.event_id]
create_transaction_of_user.sync(user.user_id, client=client, body=NewTransactionOfUser(amount=250, description="welcome"))
assert get_wallet_of_user.sync(user.user_id, client=client).wallet == 250
refused = change_user.sync(user.user_id, client=client, body=UserChanges(name=""))
assert isinstance(refused, Problem) and refused.errors[0].pointer == "/name"

picture = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
stamps = [NewStampOfDocument(stamp_type="heart", pos_x=x, pos_y=1, rotation=0.5) for x in (1, 2)]
form = CreateDocumentFilesBody(document_data=File(io.BytesIO(picture), "a.png", "image/png"), seal=7, stamps=stamps)
document = create_document.sync(client=client, body=form)
assert [stamp.pos_x for stamp in document.stamps] == [1, 2], document
assert client.get_httpx_client().get(document.document_data, follow_redirects=True).content == picture

# The next page uses the cursor from the link.
for _ in range(4):
    create_event.sync(client=client, body=cheer)
found, cursor = [], ""
while cursor is not None:
    page = list_events.sync_detailed(client=client, user_id=[user.user_id], limit=2, **({"cursor": cursor} if cursor else {}))
    found += [one.event_id for one in page.parsed]
    link = re.search(r"[?&]cursor=([^&>]+)", page.headers.get("link", ""))
    cursor = link and link[1].replace("%2D", "-").replace("%5F", "_")
assert len(set(found)) == len(found) == 5, found
print("the Python client works")
