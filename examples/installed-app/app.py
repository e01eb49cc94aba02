"""An installed app (RFC 8252), with nothing but the standard library of Python.

Signs the user in with the browser, shows their profile, and disconnects:

    python3 app.py https://api.example.com CLIENT_ID
"""

import base64
import hashlib
import hmac
import json
import secrets
import sys
import threading
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib import error, parse, request

TIMEOUT = 10
# How long the user may take to sign in and decide.
PATIENCE = 600


class Refused(Exception):
    """The server or the user said no; the text is the error code."""


class Client:
    """The app at a server: asks for access, and calls the API with it. It has no secret: PKCE (RFC 7636) stands in for it."""

    def __init__(self, server, client_id):
        self.server = server
        self.client_id = client_id
        self.metadata = self._json(f"{server}/.well-known/oauth-authorization-server")
        self.access_token = None
        self.refresh_token = None

    def sign_in(self, scopes, open_browser=webbrowser.open):
        """Asks the user in the browser, who comes back to a port of this machine."""
        verifier = secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        state = secrets.token_urlsafe(16)
        with Callback(state, self.metadata["issuer"]) as callback:
            query = {
                "response_type": "code",
                "client_id": self.client_id,
                "redirect_uri": callback.address,
                "scope": " ".join(scopes),
                "state": state,
                "code_challenge": challenge,
                "code_challenge_method": "S256",
            }
            open_browser(f"{self.metadata['authorization_endpoint']}?{parse.urlencode(query)}")
            code = callback.wait()
            self._ask(
                grant_type="authorization_code", code=code, redirect_uri=callback.address, code_verifier=verifier
            )

    def profile(self):
        """The profile of the user; gets new tokens when the access token has expired."""
        try:
            return self._call("/v2/me")
        except error.HTTPError as refused:
            if refused.code != 401:
                raise
        self._ask(grant_type="refresh_token", refresh_token=self.refresh_token)
        return self._call("/v2/me")

    def sign_out(self):
        """Ends the connection, so that nobody can use the tokens any more (RFC 7009)."""
        fields = {"client_id": self.client_id, "token": self.refresh_token}
        request.urlopen(self.metadata["revocation_endpoint"], parse.urlencode(fields).encode(), TIMEOUT).close()

    def _ask(self, **fields):
        body = parse.urlencode({"client_id": self.client_id, **fields}).encode()
        try:
            tokens = self._json(self.metadata["token_endpoint"], body)
        except error.HTTPError as refused:
            raise Refused(json.load(refused)["error"]) from None
        self.access_token = tokens["access_token"]
        # Each refresh token is used once, and its answer has the next.
        self.refresh_token = tokens["refresh_token"]

    def _call(self, path):
        return self._json(request.Request(self.server + path, headers={"authorization": f"Bearer {self.access_token}"}))

    @staticmethod
    def _json(asked, body=None):
        with request.urlopen(asked, body, TIMEOUT) as answer:
            return json.load(answer)


class Callback:
    """A port of this machine alone, to which the browser brings the answer."""

    def __init__(self, state, issuer):
        self.answer = None
        self.answered = threading.Event()
        self.expected = {"state": state, "iss": issuer}
        callback = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                query = dict(parse.parse_qsl(parse.urlsplit(self.path).query))
                known = callback.receive(query)
                self.send_response(200 if known else 400)
                self.send_header("content-type", "text/plain; charset=utf-8")
                self.end_headers()
                self.wfile.write(b"You can close this window." if known else b"This is no answer to the app.")

            def log_message(self, *_):
                """Writes no log: the address has the code in it."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/callback"

    def receive(self, query):
        # Any page in the browser can send it here, and any server could say that it is the one that answers (RFC 9207).
        if not all(hmac.compare_digest(query.get(name, ""), value) for name, value in self.expected.items()):
            return False
        self.answer = query
        self.answered.set()
        return True

    def wait(self):
        if not self.answered.wait(PATIENCE):
            raise Refused("no_answer")
        if "error" in self.answer:
            raise Refused(self.answer["error"])
        return self.answer["code"]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    app = Client(*sys.argv[1:3])
    app.sign_in(["PROFILE_READ"])
    print(json.dumps(app.profile()["data"], indent=2))
    app.sign_out()
