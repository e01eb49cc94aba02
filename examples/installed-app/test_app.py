"""The app against the whole of Slotkey, in a process of its own."""

import json
import os
import shlex
import subprocess
import unittest
from urllib import error, request

from app import Client, Refused

COMMAND = os.environ.get("SLOTKEY_TEST_SERVER", "npx slotkey test-server --stdin")


def setUpModule():
    global process, slotkey
    # It ends when this process does, because its standard input ends then.
    process = subprocess.Popen(shlex.split(COMMAND), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    slotkey = json.loads(process.stdout.readline())


def tearDownModule():
    process.stdin.close()
    process.wait(30)
    process.stdout.close()


def command(name, **body):
    """Has the test server do something; what it answers."""
    control = slotkey["control"]
    headers = {"authorization": f"Bearer {control['token']}", "content-type": "application/json"}
    asked = request.Request(f"{control['url']}/{name}", json.dumps(body).encode(), headers)
    with request.urlopen(asked, timeout=30) as answer:
        return json.load(answer)


def user(decision):
    """A browser whose user decides so on the consent page, and goes where the server sends them."""

    def visit(url):
        location = command("consent", url=url, decision=decision)["location"]
        request.urlopen(location, timeout=30).close()

    return visit


class TestApp(unittest.TestCase):
    def setUp(self):
        command("reset")
        self.app = Client(slotkey["issuer"], slotkey["publicClient"]["clientId"])

    def test_user_signs_in_with_the_browser(self):
        self.app.sign_in(["PROFILE_READ"], user("allow"))
        self.assertEqual(self.app.profile()["data"]["email"], slotkey["user"]["email"])

    def test_access_is_renewed_after_half_an_hour(self):
        self.app.sign_in(["PROFILE_READ"], user("allow"))
        first = self.app.access_token
        command("advance", duration="31 minutes")
        self.assertEqual(self.app.profile()["data"]["email"], slotkey["user"]["email"])
        self.assertNotEqual(self.app.access_token, first)

    def test_user_may_refuse(self):
        with self.assertRaisesRegex(Refused, "access_denied"):
            self.app.sign_in(["PROFILE_READ"], user("deny"))

    def test_nothing_works_after_signing_out(self):
        self.app.sign_in(["PROFILE_READ"], user("allow"))
        self.app.sign_out()
        with self.assertRaisesRegex(Refused, "invalid_grant"):
            self.app.profile()

    def test_answers_that_nobody_asked_for_are_refused(self):
        def forged(url):
            callback = command("consent", url=url)["location"].split("?")[0]
            with self.assertRaises(error.HTTPError) as refused:
                request.urlopen(f"{callback}?code=stolen&state=guessed", timeout=30)
            refused.exception.close()
            user("allow")(url)

        self.app.sign_in(["PROFILE_READ"], forged)
        self.assertIsNotNone(self.app.access_token)


if __name__ == "__main__":
    unittest.main()
