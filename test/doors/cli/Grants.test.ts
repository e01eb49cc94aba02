// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Grants } from "../../../src/core/grants/Grants.ts"
import * as Testing from "../../../src/testing.ts"
import { slotkey } from "../../support/Cli.ts"
import * as EmbeddedPool from "../../support/EmbeddedPool.ts"
import { approvedApp, assertRefused } from "../../support/TestServer.ts"
import { besideServer } from "./Scenario.ts"

/** A server on an embedded database, and the command beside it. */
const beside = Effect.map(EmbeddedPool.folder, (folder) => ({
  server: Layer.merge(Testing.layer(), HttpServer.layerServices).pipe(
    Layer.provideMerge(EmbeddedPool.at(folder))
  ),
  end: (...flags: ReadonlyArray<string>) => slotkey(["grants", "end", ...flags], { env: { DATA_DIR: folder } })
}))

describe("slotkey grants find", () => {
  it.live(
    "lists live grants page by page, the newest first",
    () =>
      besideServer(Effect.fnUntraced(function*({ json, run }) {
        const { forward } = yield* Testing.ShiftedClock
        const app = yield* approvedApp()
        const other = yield* approvedApp()
        // A server's estimate of the database's time gets better by some milliseconds while it learns.
        for (const { tokens } of [app, app, other]) yield* Effect.andThen(forward("1 second"), tokens())

        const first = yield* json("grants", "find", "--limit", "2")
        assert.deepStrictEqual(first.grants.map(({ clientId }: { clientId: string }) => clientId), [
          other.client.id,
          app.client.id
        ])
        const rest = yield* json("grants", "find", "--limit", "2", "--after", first.next)
        assert.deepInclude(rest, { next: null })
        assert.lengthOf(rest.grants, 1)
        assert.deepInclude(rest.grants[0], { userId: app.user, clientId: app.client.id, scopes: app.client.scopes })

        yield* json("grants", "end", "--client", app.client.id, "--yes")
        const left = yield* run("grants", "find")
        assert.match(left.stdout, new RegExp(`^[0-9a-f-]{36}\t${other.user}\t${other.client.id}\t[^\n]+\n$`))
        assert.strictEqual((yield* run("grants", "find", "--user", app.user)).stdout, "")
        assert.strictEqual((yield* run("grants", "find", "--after", "x")).code, 2)
      })).pipe(Effect.provide(Testing.ShiftedClock.layer)),
    120_000
  )
})

describe("slotkey grants end", () => {
  it.live("ends the grants of a user at once: tokens, connections, unspent codes", () =>
    Effect.gen(function*() {
      const { end, server } = yield* beside
      yield* Effect.gen(function*() {
        const app = yield* approvedApp()
        const other = yield* approvedApp()
        const { access_token, refresh_token } = yield* app.tokens()
        yield* app.tokens()
        const waiting = yield* app.code()
        const kept = yield* other.tokens()

        const mistyped = yield* end("--user", "nobody@example.com", "--yes")
        assert.deepStrictEqual(mistyped, { code: 3, stdout: "", stderr: "There is no account nobody@example.com.\n" })
        const counted = yield* end("--user", app.user, "--dry-run")
        assert.deepStrictEqual(counted, { code: 0, stdout: "Would end 2 grants of 1 user to 1 app.\n", stderr: "" })
        const unconfirmed = yield* end("--user", app.user)
        assert.deepStrictEqual([unconfirmed.code, unconfirmed.stdout], [2, ""])
        assert.match(unconfirmed.stderr, /^End 2 grants [^\n]*Nothing was changed: say --yes[^\n]*\n$/)
        assert.strictEqual((yield* app.me(access_token)).status, 200)

        const ended = yield* end("--user", app.user, "--yes")
        assert.deepStrictEqual(ended, { code: 0, stdout: "Ended 2 grants of 1 user to 1 app.\n", stderr: "" })
        assert.strictEqual((yield* app.me(access_token)).status, 401)
        assertRefused(yield* app.refresh(refresh_token), 400, "invalid_grant")
        assertRefused(yield* app.exchange(waiting), 400, "invalid_grant")
        assert.isEmpty(yield* (yield* Grants).listLive(app.user))
        assert.strictEqual((yield* other.me(kept["access_token"])).status, 200)

        const [entry] = yield* (yield* AuditLog).list({ userId: app.user, actions: ["grants.ended"] })
        assert.deepInclude(entry, { actor: "cli", details: { grants: 2, users: 1, clients: 1 } })
        assert.strictEqual((yield* end("--user", app.user, "--yes")).stdout, "Ended 0 grants of 0 users to 0 apps.\n")
        assert.lengthOf(yield* (yield* AuditLog).list({ userId: app.user, actions: ["grants.ended"] }), 1)
      }).pipe(Effect.provide(server))
    }), 120_000)

  it.live("takes an e-mail address, an app and a time, and ends what all of them name", () =>
    Effect.gen(function*() {
      const { end, server } = yield* beside
      yield* Effect.gen(function*() {
        const app = yield* approvedApp()
        const other = yield* approvedApp()
        const { access_token } = yield* app.tokens()
        const { access_token: kept } = yield* other.tokens()
        const now = yield* DateTime.now
        const past = DateTime.formatIso(DateTime.subtract(now, { hours: 1 }))
        const future = DateTime.formatIso(DateTime.add(now, { hours: 1 }))
        const none = "Would end 0 grants of 0 users to 0 apps.\n"
        const one = "Would end 1 grant of 1 user to 1 app.\n"
        const email = `${app.user}@example.com`
        for (
          const [flags, says] of [
            [["--since", past, "--until", future], "Would end 2 grants of 2 users to 2 apps.\n"],
            [["--until", past], none],
            [["--since", future], none],
            [["--client", app.client.id], one],
            [["--user", email], one],
            [["--user", email, "--client", other.client.id], none]
          ] as const
        ) {
          assert.strictEqual((yield* end(...flags, "--dry-run")).stdout, says)
        }
        const ended = yield* end("--client", app.client.id, "--since", past, "--yes")
        assert.strictEqual(ended.stdout, "Ended 1 grant of 1 user to 1 app.\n")
        assert.strictEqual((yield* app.me(access_token)).status, 401)
        assert.strictEqual((yield* other.me(kept)).status, 200)
        const [entry] = yield* (yield* AuditLog).list({ clientId: app.client.id, actions: ["grants.ended"] })
        assert.deepStrictEqual(entry?.details, { grants: 1, users: 1, clients: 1, since: past })
      }).pipe(Effect.provide(server))
    }), 120_000)

  it.live(
    "refuses to end everything, an app that does not exist and a time that is none",
    () =>
      besideServer(Effect.fnUntraced(function*({ run }) {
        for (
          const { code, flags, says } of [
            { flags: ["--yes"], code: 2, says: /^Name a user, an app or a time: [^\n]+\n$/ },
            { flags: ["--client", "nobody", "--yes"], code: 3, says: /^There is no app nobody\.\n$/ },
            { flags: ["--since", "yesterday", "--yes"], code: 2, says: /since/ },
            { flags: ["--since", "2026-02-31", "--yes"], code: 2, says: /must be an instant/ }
          ]
        ) {
          const ran = yield* run("grants", "end", ...flags)
          assert.strictEqual(ran.code, code)
          assert.match(ran.stderr, says)
        }
      })),
    120_000
  )
})
