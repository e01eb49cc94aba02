import { assert, describe, it } from "@effect/vitest"
import { PendingRefusals } from "../../../../src/core/clients/life/PendingRefusals.ts"

describe("refusals of one source that are too many", () => {
  it("are counted with the equal ones of their client, and never with those of another", () => {
    const pending = new PendingRefusals()
    const refuse = (clientId: string) =>
      pending.add("strangers", {
        at: new Date(0),
        clientId,
        userId: undefined,
        endpoint: "token",
        error: "temporarily_unavailable",
        reason: "too many",
        reference: undefined,
        times: 1
      })
    for (let n = 0; n < 60; n++) refuse("one")
    refuse("other")
    const kept = pending.take()
    const timesOf = (name: string) =>
      kept.filter(({ clientId }) => clientId === name).reduce((sum, { times }) => sum + times, 0)
    assert.deepStrictEqual([timesOf("one"), kept.length], [60, 50])
  })
})
