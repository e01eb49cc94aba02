import { assert, describe, it } from "@effect/vitest"
import { isSigned, readKey } from "../../../src/core/leaks/ReportSignature.ts"

/** What the documentation of GitHub's secret scanning partner programme shows, now and before, with its keys. */
const documented = [
  {
    report: `[{"source":"commit","token":"some_token","type":"some_type","url":"https://example.com/base-repo-url/"}]`,
    signature: "MEQCIQDaMKqrGnE27S0kgMrEK0eYBmyG0LeZismAEz/BgZyt7AIfXt9fErtRS4XaeSt/AO1RtBY66YcAdjxji410VQV4xg==",
    key:
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYAGMWO8XgCamYKMJS6jc/qgvSlAd\nAjPuDPRcXU22YxgBrz+zoN19MzuRyW87qEt9/AmtoNP5GrobzUvQSyJFVw=="
  },
  {
    report: `[{"token":"some_token","type":"some_type","url":"some_url","source":"some_source"}]`,
    signature: "MEUCIFLZzeK++IhS+y276SRk2Pe5LfDrfvTXu6iwKKcFGCrvAiEAhHN2kDOhy2I6eGkOFmxNkOJ+L2y8oQ9A2T9GGJo6WJY=",
    key:
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEsz9ugWDj5jK5ELBK42ynytbo38gP\nHzZFI03Exwz8Lh/tCfL3YxwMdLjB+bMznsanlhK0RwcGP3IDb34kQDIo3Q=="
  }
]

const pem = (key: string) => `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----\n`

const check = (report: string, signature: string, key: string) => {
  const read = readKey(pem(key))
  return read !== undefined && isSigned(Buffer.from(report), signature, read)
}

describe("The signature of a report", () => {
  it.each(documented)(
    "is accepted as documented: $report",
    ({ key, report, signature }) => assert.isTrue(check(report, signature, key))
  )

  it.each(documented)("is refused for another report, key or signature: $report", ({ key, report, signature }) => {
    assert.isFalse(check(`${report}\n`, signature, key))
    assert.isFalse(check(report.replace("some_token", "some_tokem"), signature, key))
    const other = documented.find((one) => one.key !== key)
    assert.isFalse(check(report, signature, other?.key ?? ""))
    assert.isFalse(check(report, other?.signature ?? "", key))
    for (const wrong of ["", "AA==", "no base64 at all", signature.slice(0, -8), "A".repeat(10_000)]) {
      assert.isFalse(check(report, wrong, key))
    }
  })

  it("has no key but one of the curve", () => {
    assert.isUndefined(readKey("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----"))
    // Ed25519 (RFC 8410 §10.1).
    assert.isUndefined(readKey(pem("MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=")))
  })
})
