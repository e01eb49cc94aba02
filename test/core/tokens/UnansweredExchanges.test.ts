import { assert, describe, it } from "@effect/vitest"
import { UnansweredExchanges } from "../../../src/core/tokens/UnansweredExchanges.ts"
import { ClientId, GrantId } from "../../../src/domain/Ids.ts"

const digestOf = (n: number) => Buffer.alloc(32, String(n).padStart(32, "0"))
const request = (n: number) => ({
  digest: digestOf(n),
  clientId: ClientId.make("calendar"),
  secretDigest: digestOf(1),
  redirectUri: "https://app.test/callback",
  codeChallenge: "challenge"
})
const opening = { grantId: GrantId.make(crypto.randomUUID()), handle: Buffer.alloc(16) }

describe("An exchange without an answer", () => {
  it("is known again by the same request, once", () => {
    const unanswered = new UnansweredExchanges(60_000)
    unanswered.add(request(1), opening, 0)
    for (
      const other of [
        request(2),
        { ...request(1), clientId: ClientId.make("another") },
        { ...request(1), secretDigest: digestOf(2) },
        { ...request(1), secretDigest: null },
        { ...request(1), redirectUri: "https://app.test/other" },
        { ...request(1), codeChallenge: null }
      ]
    ) assert.isUndefined(unanswered.take(other, 1))
    assert.strictEqual(unanswered.take(request(1), 1), opening)
    assert.isUndefined(unanswered.take(request(1), 1))
  })

  it("is forgotten when its code has expired", () => {
    const unanswered = new UnansweredExchanges(60_000)
    unanswered.add(request(1), opening, 0)
    unanswered.add(request(2), opening, 1)
    assert.isUndefined(unanswered.take(request(1), 60_000))
    assert.strictEqual(unanswered.take(request(2), 60_000), opening)
  })

  it("makes room for the latest when there are ten thousand", () => {
    const unanswered = new UnansweredExchanges(60_000)
    for (let n = 0; n <= 10_000; n++) unanswered.add(request(n), opening, 0)
    assert.isUndefined(unanswered.take(request(0), 1))
    assert.strictEqual(unanswered.take(request(1), 1), opening)
    assert.strictEqual(unanswered.take(request(10_000), 1), opening)
  })
})
