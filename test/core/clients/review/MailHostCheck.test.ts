// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { mailLook } from "../../../../src/core/clients/review/MailHostCheck.ts"
import { resultOf } from "../../../../src/core/clients/review/ReviewLook.ts"
import { ThrowawayMailHosts } from "../../../../src/domain/ThrowawayMailHosts.ts"
import { AppConfig } from "../../../../src/foundation/config/AppConfig.ts"
import { loadMailHosts } from "../../../../src/foundation/config/LoadMailHosts.ts"
import { temporaryFolder } from "../../../support/TestDatabase.ts"

const at = DateTime.makeUnsafe(0)
const list = { hosts: new Set(["brief.example", "gone.test"]), at }

describe("The mail hosts of an app", () => {
  it.each<{ email: string; contact: string | null; result: string; hosts: ReadonlyArray<string> }>([
    { email: "a@brief.example", contact: null, result: "stands_out", hosts: ["brief.example"] },
    {
      email: "a@In.Brief.Example",
      contact: "b@gone.test",
      result: "stands_out",
      hosts: ["in.brief.example", "gone.test"]
    },
    { email: "a@notbrief.example", contact: "https://brief.example/help", result: "nothing_found", hosts: [] },
    { email: "a@brief.example.org", contact: null, result: "nothing_found", hosts: [] },
    { email: "", contact: "https://brief.example/help", result: "not_looked", hosts: [] }
  ])("$email, $contact: $result", ({ contact, email, hosts, result }) => {
    const look = mailLook({ email }, { contact }, list)
    assert.strictEqual(resultOf(look), result)
    assert.deepStrictEqual(
      look.found.map(({ cause }) => cause),
      hosts.length === 0 ? [] : [{ check: "mail_host_throwaway", hosts }]
    )
  })

  it("are not looked at without a list, and the look names the list's size and age", () => {
    assert.strictEqual(resultOf(mailLook({ email: "a@brief.example" }, { contact: null }, undefined)), "not_looked")
    const look = mailLook({ email: "a@other.example" }, { contact: null }, list)
    assert.deepStrictEqual(look, { seen: { of: "mail", hosts: ["other.example"], listed: 2, at }, found: [] })
  })
})

describe("A list of throw-away mail hosts", () => {
  it.effect("has a host a line, in any case, and comments", () =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "hosts")
      writeFileSync(file, "# Throw-away hosts\r\nBrief.Example\r\n\r\n  gone.test\n")
      const read = Effect.gen(function*() {
        return yield* ThrowawayMailHosts
      }).pipe(
        Effect.provide(AppConfig.layer.pipe(
          Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ THROWAWAY_MAIL_HOSTS: file })))
        ))
      )
      assert.deepStrictEqual([...(yield* read)?.hosts ?? []], ["brief.example", "gone.test"])
    }))

  it.effect.each([
    { text: "brief.example\nann@brief.example\n", message: "line 2 is no host name" },
    { text: "<html>", message: "line 1 is no host name" },
    { text: "# nothing\n", message: "The file has no host." }
  ])("is refused: $message", ({ message, text }) =>
    Effect.gen(function*() {
      const file = join(yield* temporaryFolder, "hosts")
      writeFileSync(file, text)
      assert.strictEqual((yield* Effect.flip(loadMailHosts(file))).message, message)
    }))
})
