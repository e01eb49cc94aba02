import os

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

secret = os.environ.get("CLIENT_SECRET")
server = requests.get("{{metadata}}", timeout=10).json()
session = OAuth2Session(
    "{{clientId}}",
    secret,
    token_endpoint_auth_method="client_secret_basic" if secret else "none",
    redirect_uri="{{redirectUri}}",
    scope="{{scope}}",
    code_challenge_method="S256",
)
verifier = generate_token(48)
url, state = session.create_authorization_url(
    server["authorization_endpoint"], code_verifier=verifier
)
print(f"Open this address:\n{url}\nPaste the address that you were sent back to:", flush=True)

token = session.fetch_token(
    server["token_endpoint"],
    authorization_response=input(),
    state=state,
    code_verifier=verifier,
)
# Later, when the access token has expired. Keep the new refresh token, too.
token = session.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"])
print(session.get("{{api}}/v2/me").text)
