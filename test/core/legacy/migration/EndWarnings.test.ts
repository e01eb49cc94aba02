import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { endWarnings } from "../../../../src/core/legacy/migration/EndWarnings.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import { instantText } from "../../../../src/domain/InstantText.ts"
import { grantsEnd } from "../../../../src/doors/mails/AppMails.ts"
import { EndWarningMail } from "../../../../src/foundation/jobs/kinds/EndWarningMail.ts"
import { mailText } from "../../../support/MailText.ts"
import { basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { app, apply, jsonLines, token, unique } from "../import/Scenario.ts"

const place = { authUrl: "https://auth.test" }

const reader = { timeZone: "UTC", timeFormat: 24 } as const

/** Number of mails to this owner, and the text of the last one as it would be now. */
const mails = Effect.fnUntraced(function*(owner: UserId) {
  const sql = yield* SqlClient.SqlClient
  const warnings = yield* endWarnings
  const rows = yield* sql<{ payload: unknown }>`SELECT payload FROM outbox
    WHERE queue = 'end-warning-mails' AND payload->>'ownerId' = ${owner} ORDER BY id`
  const last = rows.at(-1)
  if (last === undefined) return { sent: 0, text: "" }
  const { firstOwner, until, userId } = Schema.decodeUnknownSync(EndWarningMail.payload)(last.payload)
  const apps = yield* warnings.ending(userId, until, firstOwner)
  return { sent: rows.length, text: apps.length === 0 ? "" : mailText(grantsEnd(place, apps, reader)) }
})

/** Lets nights pass, in each of which the job runs, and answers the nights after which a mail to the owner went out. */
const nights = Effect.fnUntraced(function*(count: number, owner: UserId) {
  const warnings = yield* endWarnings
  const found: Array<number> = []
  for (let night = 1; night <= count; night++) {
    yield* TestClock.adjust("1 day")
    const { sent } = yield* mails(owner)
    yield* warnings.publish
    yield* warnings.publish
    if ((yield* mails(owner)).sent > sent) found.push(night)
  }
  return found
})

const refreshToken = () => `v1.MjY0-${unique()}==`

layer(server({ GRANT_LIFETIME: "50 days" }), { timeout: 60_000 })("Warnings of an end", (it) => {
  it.effect("go to co-owners, too, about the apps in which they have a part", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [owner, partner] = [yield* newAccount("owner"), yield* newAccount("partner")]
      const user = yield* newAccount("user")
      yield* apply(jsonLines(
        app(owner, { name: "Shared", idle_days: 16, refresh_tokens: [token(refreshToken(), user)] }),
        app(owner, { name: "Alone", idle_days: 16, refresh_tokens: [token(refreshToken(), user)] })
      ))
      yield* sql`INSERT INTO client_owners (client_id, account_id, role, since)
        SELECT id, ${partner}, 'developer', now() FROM clients WHERE owner_id = ${owner} AND name = 'Shared'`
      assert.deepStrictEqual(yield* nights(8, partner), [8])
      const { text } = yield* mails(partner)
      assert.include(text, "\u201cShared\u201d: 1 from")
      assert.notInclude(text, "Alone")
    }))

  it.effect("go to the owner once for all apps and tokens, before the end that the import set, and before the last one", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const user = yield* newAccount("user")
      const tokens = (count: number) => Array.from({ length: count }, () => token(refreshToken(), user))
      yield* apply(jsonLines(
        app(owner, { name: "Early", idle_days: 16, refresh_tokens: tokens(3) }),
        app(owner, { name: "Later", idle_days: 30, refresh_tokens: tokens(2) }),
        app(owner, { name: "Never", refresh_tokens: tokens(1) })
      ))
      assert.deepStrictEqual(yield* nights(8, owner), [8])
      const { text } = yield* mails(owner)
      const day = (days: number) => Effect.map(DateTime.now, (now) => instantText(DateTime.add(now, { days }), reader))
      assert.include(text, "Users’ access for 2 of your apps is about to end")
      assert.include(text, `\u201cEarly\u201d: 3 from ${yield* day(8)} on, if not used`)
      assert.include(text, `\u201cLater\u201d: 2 from ${yield* day(22)} on, if not used`)
      assert.notInclude(text, "Never")
      assert.notInclude(text, "in any case")
      assert.deepStrictEqual(yield* nights(27, owner), [])
      // The one without an idle end ends with GRANT_LIFETIME after the import.
      assert.deepStrictEqual(yield* nights(2, owner), [1])
    }))

  it.effect("are not sent about what was used meanwhile, and are sent again before its next end", () =>
    Effect.gen(function*() {
      const { token: post } = yield* serverClient
      const owner = yield* newAccount("owner")
      const text = refreshToken()
      const old = app(owner, { idle_days: 22, refresh_tokens: [token(text, owner)] })
      yield* apply(jsonLines(old))
      assert.deepStrictEqual(yield* nights(20, owner), [11])
      const answer = yield* post(
        { grant_type: "refresh_token", refresh_token: text },
        basic(old.client_id, "s3cr+t/%2B==old-server")
      )
      assert.strictEqual(answer.status, 200)
      assert.strictEqual((yield* mails(owner)).text, "")
      assert.deepStrictEqual(yield* nights(12, owner), [11])
    }))

  it.effect("are not sent about an app that is used, however short its idle end", () =>
    Effect.gen(function*() {
      const { token: post } = yield* serverClient
      const owner = yield* newAccount("owner")
      const text = refreshToken()
      const old = app(owner, { idle_days: 4, refresh_tokens: [token(text, owner)] })
      yield* apply(jsonLines(old))
      for (let day = 1; day <= 5; day++) {
        assert.deepStrictEqual(yield* nights(1, owner), [])
        const answer = yield* post(
          { grant_type: "refresh_token", refresh_token: text },
          basic(old.client_id, "s3cr+t/%2B==old-server")
        )
        assert.strictEqual(answer.status, 200)
      }
      assert.deepStrictEqual(yield* nights(3, owner), [2])
    }))

  it.effect("tell of tokens with an expiry of their own, those imported later too, and of each end once", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const now = yield* DateTime.now
      const until = (days: number) =>
        token(refreshToken(), owner, { expires_at: DateTime.formatIso(DateTime.add(now, { days })) })
      const old = app(owner, { refresh_tokens: [until(10), until(20), until(36)] })
      yield* apply(jsonLines(old))
      assert.deepStrictEqual(yield* nights(5, owner), [1])
      assert.include((yield* mails(owner)).text, "which have reached their full time")
      assert.include((yield* mails(owner)).text, "2 from")
      yield* apply(jsonLines({ client_id: old.client_id, refresh_tokens: [until(12)] }))
      // The one after 36 days is not named yet: its turn is 14 days before.
      assert.deepStrictEqual(yield* nights(20, owner), [1, 17])
    }))
})
