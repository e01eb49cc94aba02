"""A journey with authlib: PKCE, exchange, API call, refresh, introspection and revocation. Talks in lines with the test."""

import json
import sys

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

url, client_id, client_secret, redirect_uri = sys.argv[1:]
metadata = json.loads(sys.stdin.readline())
session = OAuth2Session(
    client_id,
    client_secret or None,
    scope="BOOKING_READ PROFILE_READ",
    redirect_uri=redirect_uri,
    code_challenge_method="S256",
    token_endpoint_auth_method="client_secret_basic" if client_secret else "none",
    token_endpoint=metadata["token_endpoint"],
    introspection_endpoint=metadata["introspection_endpoint"],
)
verifier = generate_token(48)
authorization_url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
print(authorization_url, flush=True)

session.fetch_token(
    metadata["token_endpoint"], authorization_response=sys.stdin.readline().strip(), state=state, code_verifier=verifier
)
# It asks for the same at each refresh, and users may have given less (docs/clients.md).
session.scope = session.token["scope"]
profile = session.get(f"{url}/v2/me").json()["data"]
first = dict(session.token)
session.refresh_token(metadata["token_endpoint"])
second = dict(session.token)
active = None
if client_secret:
    active = session.introspect_token(metadata["introspection_endpoint"], token=second["access_token"]).json()["active"]
session.revoke_token(metadata["revocation_endpoint"], token=second["refresh_token"]).raise_for_status()
revoked = session.get(f"{url}/v2/me").status_code
print(json.dumps({
    "user": profile["id"],
    "scope": first["scope"],
    "rotated": first["refresh_token"] != second["refresh_token"],
    "active": active,
    "revoked": revoked,
}), flush=True)
