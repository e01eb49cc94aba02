import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { readImportFile } from "../../../../src/core/legacy/import/ImportFile.ts"
import { LegacyImport } from "../../../../src/core/legacy/import/LegacyImport.ts"
import { newAccount } from "../../../support/Clients.ts"
import { assertRefused, basic, layer as scenes, network } from "../../../support/Scenario.ts"

const sha256 = (text: string, encoding: "hex" | "base64" | "base64url" = "hex") =>
  createHash("sha256").update(text).digest(encoding)

const jsonLines = (...records: ReadonlyArray<object>) => records.map((record) => JSON.stringify(record)).join("\n")

const unique = () => crypto.randomUUID().slice(0, 8)

/** An app of the server before, whose id and secret are of an alphabet of its own. */
const app = (owner: string, changes: object = {}) => ({
  client_id: `old/app+${unique()}`,
  owner,
  name: "Old Timer",
  redirect_uris: ["https://old.example/callback"],
  secrets: [{ secret: "s3cr+t/%2B==old-server", algorithm: "clear" }],
  ...changes
})

const token = (text: string, user: string, changes: object = {}) => ({
  token: text,
  algorithm: "clear",
  user,
  ...changes
})

const findings = (text: string) =>
  Effect.gen(function*() {
    const { findings } = yield* (yield* LegacyImport).inspect(text)
    return findings.map(({ kind, line, text }) => `${line} ${kind}: ${text}`)
  })

const apply = (text: string) => Effect.flatMap(LegacyImport, (imports) => imports.apply(text, "cli"))

const counts = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql`SELECT (SELECT count(*)::int FROM clients) AS clients,
    (SELECT count(*)::int FROM client_secrets) AS secrets, (SELECT count(*)::int FROM grants) AS grants,
    (SELECT count(*)::int FROM imported_refresh_tokens) AS tokens, (SELECT count(*)::int FROM audit_log) AS entries`
  return row
})

layer(scenes(), { timeout: 60_000 })("Import of legacy clients", (it) => {
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
          { ...app(owner), client_id: "twice", name: "Another" }
        )
      ].join("\n")
      const wrong = (yield* findings(text)).filter((finding) => finding.includes("wrong"))
      const expected = [
        /^2 wrong: there is no account nobody@example.com to own the app$/,
        /^3 wrong: secrets.0.algorithm must be clear, sha256-hex or sha256-base64; .*bcrypt/,
        /^4 wrong: the line is not a JSON object$/,
        /^5 wrong: redirect_uris.0 must be https/,
        /^6 wrong: colour is not a field of the format$/,
        /^7 wrong: secrets.0 is not the sha256-hex form of a SHA-256$/,
        /^8 wrong: secrets.0.algorithm is required: clear/,
        /^10 wrong: the refresh token is on line 9 already; a refresh token has less than 16 characters$/,
        /^11 wrong: the first line of an app needs owner, name and redirect_uris$/,
        /^13 wrong: says something else about the app than line 12$/
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
      const { token: post } = yield* network
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
      const [bad] = yield* readImportFile("client_id,colour\na,b")
      assert.strictEqual(bad?.line, 1)
    }))

  it.effect("keeps installed apps working: the old refresh token is exchanged once into a chain of ours", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const user = yield* newAccount("user")
      const { me, token: post } = yield* network
      const refresh = `v1.MjY0-${unique()}==`
      const old = app(owner, { refresh_tokens: [token(refresh, user)] })
      const headers = basic(old.client_id, "s3cr+t/%2B==old-server")
      yield* apply(jsonLines(old))

      const ask = (refreshToken: unknown) =>
        post({ grant_type: "refresh_token", refresh_token: String(refreshToken) }, headers)
      const first = yield* ask(refresh)
      assert.strictEqual(first.status, 200)
      assert.strictEqual(first.json["scope"], "")
      assert.match(String(first.json["refresh_token"]), /^slk_refresh_/)
      assert.strictEqual((yield* me(first.json["access_token"])).status, 200)
      // An answer that got lost on the way is given again.
      assert.strictEqual((yield* ask(refresh)).json["refresh_token"], first.json["refresh_token"])
      const second = yield* ask(first.json["refresh_token"])
      assert.strictEqual(second.status, 200)

      const formEncoded = basic(encodeURIComponent(old.client_id), encodeURIComponent("s3cr+t/%2B==old-server"))
      assert.strictEqual((yield* post({ grant_type: "refresh_token", refresh_token: "x" }, formEncoded)).status, 400)
      assertRefused(
        yield* post({ grant_type: "refresh_token", refresh_token: "x" }, basic(old.client_id, "x")),
        401,
        "invalid_client"
      )

      // Later the old token proves that somebody else has it.
      yield* TestClock.adjust("5 minutes")
      assertRefused(yield* ask(refresh), 400, "invalid_grant")
      assertRefused(yield* ask(second.json["refresh_token"]), 400, "invalid_grant")
      const entries = yield* sql`SELECT action FROM audit_log WHERE client_id = ${old.client_id} ORDER BY id`
      assert.deepStrictEqual(entries.map(({ action }) => action), ["client.imported", "refresh_token.reused"])
      // The stored digests lead to no token: neither is the digest of the token itself.
      const rows =
        yield* sql`SELECT digest, handle_digest FROM imported_refresh_tokens t JOIN grants g ON g.id = t.grant_id
        WHERE t.client_id = ${old.client_id}`
      assert.notInclude(
        rows.flatMap((row) => Object.values(row)).map((it) => Buffer.from(it as Uint8Array).toString("hex")),
        sha256(refresh)
      )
    }))

  it.effect("a token is its app's alone, and ends with its expiry", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const { token: post } = yield* network
      const now = yield* DateTime.now
      const inHours = (hours: number) => DateTime.formatIso(DateTime.add(now, { hours }))
      const [theirs, soon, gone] = [
        `refresh-${unique()}-token`,
        `refresh-${unique()}-token`,
        `refresh-${unique()}-token`
      ]
      const [one, two] = [
        app(owner, {
          refresh_tokens: [
            token(theirs, owner),
            token(soon, owner, { expires_at: inHours(24) }),
            token(gone, owner, { expires_at: inHours(-1) })
          ]
        }),
        app(owner)
      ]
      assert.match(
        (yield* apply(jsonLines(one, two))).findings[0]?.text ?? "",
        /2 refresh tokens, a refresh token has expired/
      )
      const ask = (refreshToken: string, { client_id }: typeof one) =>
        post({ grant_type: "refresh_token", refresh_token: refreshToken }, basic(client_id, "s3cr+t/%2B==old-server"))
      assertRefused(yield* ask(theirs, two), 400, "invalid_grant")
      assertRefused(yield* ask(gone, one), 400, "invalid_grant")
      assert.strictEqual((yield* ask(theirs, one)).status, 200)
      yield* TestClock.adjust("25 hours")
      assertRefused(yield* ask(soon, one), 400, "invalid_grant")
    }))

  it.effect("takes 10,000 apps with their tokens in one file", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const run = unique()
      const text = jsonLines(...Array.from({ length: 10_000 }, (_, n) =>
        app(owner, {
          client_id: `${run}-${n}`,
          name: `App ${n}`,
          secrets: [{ secret: sha256(`${run} ${n}`), algorithm: "sha256-hex" }],
          refresh_tokens: [token(sha256(`${run} token ${n}`), owner, { algorithm: "sha256-hex" })]
        })))
      const plan = yield* apply(text)
      assert.strictEqual(plan.findings.length, 10_000)
      const count = sql`SELECT count(*)::int AS n FROM clients c JOIN client_secrets s ON s.client_id = c.id
        JOIN imported_refresh_tokens t ON t.client_id = c.id JOIN grants g ON g.id = t.grant_id AND g.scopes IS NULL
        WHERE c.id LIKE ${`${run}-%`} AND c.legacy`
      assert.deepStrictEqual(yield* count, [{ n: 10_000 }])
      const again = yield* apply(text)
      assert.isTrue(again.findings.every(({ kind }) => kind === "there"))
      assert.deepStrictEqual(yield* count, [{ n: 10_000 }])
    }), 180_000)
})
