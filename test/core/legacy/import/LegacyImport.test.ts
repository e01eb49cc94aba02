import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { ImportListener } from "../../../../src/core/legacy/import/ImportListener.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { app, apply, counts, findings, jsonLines, listenTo, sha256, token, unique } from "./Scenario.ts"

layer(server(), { timeout: 60_000 })("Import of legacy clients", (it) => {
  it.effect("shows what it would do and writes nothing", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const before = yield* counts
      const old = app(owner)
      const text = jsonLines(
        { ...old, refresh_tokens: [token(`refresh-${unique()}-token`, owner)] },
        { client_id: old.client_id, refresh_tokens: [token(`refresh-${unique()}-token`, owner)] }
      )
      assert.deepStrictEqual(yield* findings(text), [
        "1 new: new app, 1 secret, 1 refresh token",
        "2 adds: 1 refresh token"
      ])
      assert.deepStrictEqual(yield* counts, before)
    }))

  it.effect("tells how far it is", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const old = app(owner, { refresh_tokens: [token(`refresh-${unique()}-token`, owner)] })
      const told: Array<string> = []
      const text = Stream.make(jsonLines(old, app(owner)))
      yield* Effect.provideService((yield* LegacyImport).apply(text, "cli"), ImportListener, {
        progress: (step, done) => Effect.sync(() => told.push(`${done} ${step}`)),
        found: () => Effect.void,
        skipped: () => Effect.void
      })
      assert.deepStrictEqual(told, ["2 lines read", "2 apps written", "1 refresh tokens written"])
    }))

  it.effect("names each line that does not fit, and imports nothing of such a file", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const before = yield* counts
      const bcrypt = { secrets: [{ secret: "$2b$10$abcdefghijklmnopqrstuv", algorithm: "bcrypt" }] }
      const again = `refresh-${unique()}-token`
      const text = [
        jsonLines(app(owner), app("nobody@example.com"), app(owner, bcrypt)),
        "{not json",
        jsonLines(
          app(owner, { redirect_uris: ["http://old.example/callback"] }),
          app(owner, { colour: "blue" }),
          app(owner, { secrets: [{ secret: "abc", algorithm: "sha256-hex" }] }),
          app(owner, { secrets: [{ secret: "without-algorithm" }] }),
          app(owner, { refresh_tokens: [token(again, owner)] }),
          app(owner, { refresh_tokens: [token(again, owner), token("short", owner)] }),
          { client_id: "without-app" },
          { ...app(owner), client_id: "twice" },
          { ...app(owner), client_id: "twice", name: "Another" },
          app(owner, { created_at: "11/12/2026" })
        )
      ].join("\n")
      const wrong = (yield* findings(text)).filter((finding) => finding.includes("wrong"))
      const expected = [
        /^2 wrong: owner "nobody@example.com" names no account here: /,
        /^3 wrong: secrets.0 must be \$2b\$…/,
        /^4 wrong: the line is not a JSON object$/,
        /^5 wrong: redirect_uris.0 "http:\/\/old.example\/callback" must be https/,
        /^6 wrong: colour is not a field of the format$/,
        /^7 wrong: secrets.0 is not the sha256-hex form of a SHA-256$/,
        /^8 wrong: secrets.0.algorithm is required: clear/,
        /^10 wrong: the refresh token is on line 9 already; a refresh token has less than 16 characters$/,
        /^11 wrong: the first line of an app needs owner, name and redirect_uris$/,
        /^13 wrong: says something else about the app than line 12$/,
        /^14 wrong: created_at "11\/12\/2026" must be an instant such as 2026-11-21T02:30:00Z$/
      ]
      assert.strictEqual(wrong.length, expected.length, wrong.join("\n"))
      expected.forEach((pattern, at) => assert.match(wrong[at] ?? "", pattern))
      const error = yield* Effect.flip(apply(text))
      assert.strictEqual(error.code, "import_unfit")
      assert.notInclude(JSON.stringify(error), "s3cr")
      assert.deepStrictEqual(yield* counts, before)
    }))

  it.effect("run twice gives the same result, also after an app went its own way", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const old = app(owner, { refresh_tokens: [token(`refresh-${unique()}-token`, owner)] })
      yield* apply(jsonLines(old))
      const once = yield* counts
      yield* apply(jsonLines(old))
      assert.deepStrictEqual(yield* counts, once)

      yield* sql`UPDATE clients SET name = 'New Timer' WHERE id = ${old.client_id}`
      yield* sql`DELETE FROM client_secrets WHERE client_id = ${old.client_id}`
      yield* sql`DELETE FROM grants WHERE client_id = ${old.client_id}`
      assert.deepStrictEqual(yield* findings(jsonLines(old)), [
        "1 there: there already, differs here and stays so: name"
      ])
      yield* apply(jsonLines(old))
      const [row] =
        yield* sql`SELECT name, (SELECT count(*)::int FROM client_secrets WHERE client_id = c.id) AS secrets,
        (SELECT count(*)::int FROM grants WHERE client_id = c.id) AS grants FROM clients c WHERE id = ${old.client_id}`
      assert.deepStrictEqual(row, { name: "New Timer", secrets: 0, grants: 0 })
    }))

  it.effect("brings no app back that was deleted here, and adds nothing to an app that is not a legacy app", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const old = app(owner)
      yield* apply(jsonLines(old))
      yield* sql`UPDATE clients SET legacy = false, scopes = '{PROFILE_READ}' WHERE id = ${old.client_id}`
      assert.match((yield* findings(jsonLines(old)))[0] ?? "", /wrong: an app of this id was registered here/)
      yield* sql`DELETE FROM clients WHERE id = ${old.client_id}`
      yield* sql`INSERT INTO audit_log (at, actor, action, client_id)
        VALUES (${DateTime.toDateUtc(yield* DateTime.now)}, ${owner}, 'client.deleted', ${old.client_id})`
      assert.match((yield* findings(jsonLines(old)))[0] ?? "", /wrong: this app was deleted here/)
    }))

  it.effect("reads CSV with quoted cells, several redirect URIs and repeated apps", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const { token: post } = yield* serverClient
      const id = `csv-${unique()}`
      const refresh = `refresh-${unique()}-token`
      const text = [
        "client_id,owner,name,purpose,redirect_uris,client_secret,client_secret_algorithm,refresh_token,refresh_token_algorithm,refresh_token_user",
        `${id},${owner}@example.com,"Old, ""Timer""","One`,
        `and two",https://old.example/a https://old.example/b,${sha256("first secret")},sha256-hex,,,`,
        "",
        `${id},,,,,${sha256("second secret", "base64")},sha256-base64,${
          sha256(refresh, "base64url")
        },sha256-base64,${owner}`
      ].join("\r\n")
      assert.deepStrictEqual(yield* findings(text), ["2 new: new app, 1 secret", "5 adds: 1 secret, 1 refresh token"])
      yield* apply(text)
      for (const secret of ["first secret", "second secret"]) {
        const fields = { grant_type: "refresh_token", client_id: id, client_secret: secret, refresh_token: refresh }
        assert.strictEqual((yield* post(fields)).status, 200)
      }
      assert.deepStrictEqual(yield* findings("client_id,colour\na,b"), [
        "1 wrong: colour is not a column of the format, or is repeated"
      ])
    }))

  it.effect("names the app and what stands in the field at fault, and nothing that is secret", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const wrong = app(owner, {
        client_id: "crm",
        kind: "secretive",
        redirect_uris: ["https://crm.example/a#b"],
        secrets: [{ secret: "s3cr\u0000t", algorithm: "clear" }],
        refresh_tokens: [token("t0k\u0000n", owner, { expires_at: "soon" })]
      })
      const csv = `client_id,owner,name,redirect_uris,created_at\ncrm,${owner},A,https://crm.example/a,yesterday`
      const { findings: [inJson] } = yield* listenTo((yield* LegacyImport).inspect(Stream.make(jsonLines(wrong))))
      const { findings: [inCsv] } = yield* listenTo((yield* LegacyImport).inspect(Stream.make(csv)))
      assert.deepStrictEqual([inJson?.clientId, inCsv?.clientId], ["crm", "crm"])
      for (
        const part of [
          "kind \"secretive\" must be",
          "redirect_uris.0 \"https://crm.example/a#b\"",
          "expires_at \"soon\""
        ]
      ) assert.include(inJson?.text, part)
      assert.notMatch(inJson?.text ?? "", /s3cr|t0k/)
      assert.include(inCsv?.text, "created_at \"yesterday\" must be")
    }))

  it.effect("takes null for absent, and an address that stands there twice for one", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const old = app(owner, {
        redirect_uris: ["https://old.example/a", "https://old.example/b", "https://old.example/a"],
        purpose: null,
        website: null,
        created_at: null,
        rotates: null,
        idle_days: null,
        refresh_tokens: [token(`refresh-${unique()}-token`, owner, { expires_at: null })]
      })
      assert.deepStrictEqual(yield* findings(jsonLines(old)), ["1 new: new app, 1 secret, 1 refresh token"])
      yield* apply(jsonLines(old))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT redirect_uris FROM clients WHERE id = ${old.client_id}`, [
        { redirectUris: ["https://old.example/a", "https://old.example/b"] }
      ])
    }))

  it.effect("says in one line that a file is of another kind", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const pretty = JSON.stringify({ clients: [app(owner), app(owner)] }, null, 2)
      const [finding = "", ...more] = yield* findings(pretty)
      assert.match(finding, /^1 wrong: the file has no object on each line, as JSON lines have: .* `jq -c`/)
      assert.deepStrictEqual(more, [])
      for (const [separator, name] of [[";", "\";\""], ["\t", "\"\\t\""]] as const) {
        const csv = ["client_id,owner,name,redirect_uris", `crm,${owner},A,https://crm.example/a`].join("\n")
        assert.deepStrictEqual(yield* findings(csv.replaceAll(",", separator)), [
          `1 wrong: the columns are separated by ${name}: only commas are read`
        ])
      }
    }))

  it.effect("takes thousands of apps with their tokens in one file", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const run = unique()
      const text = jsonLines(...Array.from({ length: 2_000 }, (_, n) =>
        app(owner, {
          client_id: `${run}-${n}`,
          name: `App ${n}`,
          secrets: [{ secret: sha256(`${run} ${n}`), algorithm: "sha256-hex" }],
          refresh_tokens: [token(sha256(`${run} token ${n}`), owner, { algorithm: "sha256-hex" })]
        })))
      const plan = yield* apply(text)
      assert.strictEqual(plan.findings.length, 2_000)
      const count = sql`SELECT count(*)::int AS n FROM clients c JOIN client_secrets s ON s.client_id = c.id
        JOIN imported_refresh_tokens t ON t.client_id = c.id JOIN grants g ON g.id = t.grant_id AND g.scopes IS NULL
        WHERE c.id LIKE ${`${run}-%`} AND c.legacy`
      assert.deepStrictEqual(yield* count, [{ n: 2_000 }])
      const again = yield* apply(text)
      assert.isTrue(again.findings.every(({ kind }) => kind === "there"))
      assert.deepStrictEqual(yield* count, [{ n: 2_000 }])
    }), 180_000)
})
