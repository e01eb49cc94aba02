"""A journey with requests-oauthlib: exchange, API call, automatic refresh, revocation. Talks in lines with the test."""

import base64
import hashlib
import json
import os
import secrets
import sys

from requests_oauthlib import OAuth2Session

url, client_id, client_secret, redirect_uri = sys.argv[1:]
# The test's server has no certificate.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
metadata = json.loads(sys.stdin.readline())
credentials = {"client_id": client_id}
if client_secret:
    credentials["client_secret"] = client_secret
saved = []
session = OAuth2Session(
    client_id,
    scope=["BOOKING_READ", "PROFILE_READ"],
    redirect_uri=redirect_uri,
    auto_refresh_url=metadata["token_endpoint"],
    auto_refresh_kwargs=credentials,
    token_updater=saved.append,
)
verifier = secrets.token_urlsafe(48)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
authorization_url, _ = session.authorization_url(
    metadata["authorization_endpoint"], code_challenge=challenge, code_challenge_method="S256"
)
print(authorization_url, flush=True)

first = dict(session.fetch_token(
    metadata["token_endpoint"],
    authorization_response=sys.stdin.readline().strip(),
    client_secret=client_secret or None,
    include_client_id=True,
    code_verifier=verifier,
))
# It asks for the same at each refresh, and users may have given less (docs/clients.md).
session.scope = list(first["scope"])
profile = session.get(f"{url}/v2/me").json()["data"]
session.token = {**first, "expires_at": 1}
session.get(f"{url}/v2/me").raise_for_status()
second = saved[-1]
session.post(
    metadata["revocation_endpoint"], data={**credentials, "token": second["refresh_token"]}, withhold_token=True
).raise_for_status()
session.token = second
revoked = session.get(f"{url}/v2/me").status_code
print(json.dumps({
    "user": profile["id"],
    "scope": " ".join(first["scope"]),
    "rotated": first["refresh_token"] != second["refresh_token"],
    "active": None,
    "revoked": revoked,
}), flush=True)
