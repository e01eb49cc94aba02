"""An installed app on requests-oauthlib that never stores the refresh token of an answer. Obeys the test line by line."""

import json
import os
import sys

from oauthlib.oauth2 import OAuth2Error
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

url, client_id, client_secret, redirect_uri, refresh_token = sys.argv[1:]
# The test's server has no certificate.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
token_endpoint = f"{url}/v2/auth/oauth2/token"
auth = HTTPBasicAuth(client_id, client_secret)


def refresh(_):
    session = OAuth2Session(client_id, token={"refresh_token": refresh_token, "access_token": "expired"})
    session.refresh_token(token_endpoint, auth=auth)
    return str(session.get(f"{url}/v2/me").status_code)


def authorize(scope):
    session = OAuth2Session(client_id, scope=scope.split(), redirect_uri=redirect_uri)
    return session.authorization_url(f"{url}/auth/oauth2/authorize", state="s")[0]


def exchange(callback):
    global refresh_token
    session = OAuth2Session(client_id, redirect_uri=redirect_uri, state="s")
    token = session.fetch_token(token_endpoint, authorization_response=callback, auth=auth)
    refresh_token = token["refresh_token"]
    return " ".join(token["scope"])


for line in sys.stdin:
    name, argument = json.loads(line)
    try:
        answer = {"refresh": refresh, "authorize": authorize, "exchange": exchange}[name](argument)
    except OAuth2Error as error:
        answer = error.error
    print(answer, flush=True)
