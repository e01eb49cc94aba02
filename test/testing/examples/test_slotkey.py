import json
import subprocess
import unittest
from urllib import error, request

process = subprocess.Popen(
    ["npx", "slotkey", "test-server", "--stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)
slotkey = json.loads(process.stdout.readline())


def command(name, **body):
    """Has the test server do something; what it answers."""
    control = slotkey["control"]
    headers = {"authorization": f"Bearer {control['token']}", "content-type": "application/json"}
    asked = request.Request(f"{control['url']}/{name}", json.dumps(body).encode(), headers)
    with request.urlopen(asked, timeout=30) as answer:
        return json.load(answer)


def call(access_token):
    """The status of a call of the API."""
    asked = request.Request(f"{slotkey['issuer']}/v2/me", headers={"authorization": f"Bearer {access_token}"})
    try:
        with request.urlopen(asked, timeout=30) as answer:
            return answer.status
    except error.HTTPError as refused:
        return refused.code


class TestApp(unittest.TestCase):
    def setUp(self):
        command("reset")

    def test_access_ends_after_half_an_hour(self):
        tokens = command("tokens", scopes=["PROFILE_READ"])
        self.assertEqual(call(tokens["accessToken"]), 200)
        command("advance", duration="31 minutes")
        self.assertEqual(call(tokens["accessToken"]), 401)

    def test_user_is_told_of_a_stolen_token(self):
        tokens = command("tokens", state="stolen")
        self.assertEqual(call(tokens["accessToken"]), 401)
        self.assertEqual(command("mails")[-1]["to"]["address"], slotkey["user"]["email"])


if __name__ == "__main__":
    try:
        unittest.main()
    finally:
        process.stdin.close()
        process.wait()
