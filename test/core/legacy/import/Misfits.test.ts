import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { basic, layer as server, serverClient } from "../../../support/TestServer.ts"
import { newAccount } from "../../clients/Scenario.ts"
import { visitor } from "../Scenario.ts"
import { app, apply, jsonLines, token, unique } from "./Scenario.ts"

const clientIds = (ids: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ id: string }>`SELECT id FROM clients WHERE id = ANY(${ids}::text[])`
    return ids.filter((id) => rows.some((row) => row.id === id))
  })

layer(server(), { timeout: 60_000 })("An import that skips what does not fit", (it) => {
  it.effect("imports the rest, and hands out the records at fault as they stand in the file", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* newAccount("owner")
      const three = ["one", "two", "three"].map((name) => ({ secret: `the secret ${name}`, algorithm: "clear" }))
      const eleven = Array.from({ length: 11 }, (_, n) => `https://old.example/${n}`)
      const [good, secrets, uris, late] = [
        app(owner),
        app(owner, { secrets: three, refresh_tokens: [token(`refresh-${unique()}-token`, owner)] }),
        app(owner, { redirect_uris: eleven }),
        app(owner)
      ]
      const more = { client_id: secrets.client_id, refresh_tokens: [token(`refresh-${unique()}-token`, owner)] }
      const third = { client_id: good.client_id, secrets: three.slice(0, 2) }
      const second = { client_id: good.client_id, secrets: three.slice(0, 1) }
      const text = jsonLines(good, secrets, uris, more, third, second, late)
      assert.strictEqual((yield* Effect.flip(apply(text, {}))).code, "import_unfit")
      const plan = yield* apply(text, { skips: true })
      assert.deepStrictEqual(plan.misfits, [secrets, uris, more, third].map((record) => JSON.stringify(record)))
      assert.match(plan.findings[3]?.text ?? "", /^line 2, where this app begins, does not fit$/)
      const ids = [good, secrets, uris, late].map(({ client_id }) => client_id)
      assert.deepStrictEqual(yield* clientIds(ids), [good.client_id, late.client_id])
      assert.deepStrictEqual(
        yield* sql`SELECT count(*)::int AS n FROM client_secrets WHERE client_id = ${good.client_id}`,
        [{ n: 2 }]
      )
    }))

  it.effect("writes records of CSV under their header, so that the rest can be mended and imported", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const [good, bad] = [`csv-${unique()}`, `csv-${unique()}`]
      const header = "client_id,owner,name,redirect_uris,client_secret,client_secret_algorithm"
      const cells = (id: string, owner: string) =>
        `${id},${owner},"Old, ""Timer""",https://old.example/a,a long enough secret,clear`
      const plan = yield* apply([header, cells(good, owner), cells(bad, "nobody")].join("\n"), { skips: true })
      assert.deepStrictEqual(plan.misfits, [header, cells(bad, "nobody")])
      yield* apply(plan.misfits.join("\n").replace("nobody", owner), {})
      assert.deepStrictEqual(yield* clientIds([good, bad]), [good, bad])
    }))
})

layer(server(), { timeout: 60_000 })("Redirect URIs that the old server had registered", (it) => {
  const kept = [
    "http://old.example/callback",
    "oldtimer://callback",
    "com.example.old:/callback",
    "https://old.example/callback?state=fixed",
    "https://old.example/callback?a[]=b"
  ]

  it.effect("are kept where the operator says so, and stay in use until the owner's next edit mends them", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const browser = yield* visitor(owner)
      const old = app(owner, { client_id: `kept-${unique()}`, redirect_uris: kept })
      const refused = yield* Effect.flip(apply(jsonLines(old), {}))
      assert.match(
        JSON.stringify(refused.details),
        /redirect_uris.0 \S+ must be https; .*redirect_uris.1 \S+ must be https.*redirect_uris.3 \S+ must not have state.*redirect_uris.4 \S+ must have/
      )
      const plan = yield* apply(jsonLines(old), { keepsRedirectUris: true })
      assert.match(plan.findings[0]?.text ?? "", /redirect_uris.0 \S+ must be https.*kept until its owner's next edit/)

      for (const uri of kept) {
        const query = new URLSearchParams({ client_id: old.client_id, redirect_uri: uri })
        const asked = yield* browser.get(`/auth/oauth2/authorize?${query}`)
        assert.strictEqual(asked.status, 200, uri)
        assert.include(asked.text, "name=\"decision\"")
      }
      const page = yield* browser.get(`/settings/apps/${old.client_id}/settings`)
      assert.include(page.text, "your next change of this app has to replace them")
      const path = `/v2/oauth-clients/${old.client_id}`
      const edit = yield* browser.call("PATCH", path, { name: "New Timer" })
      assert.strictEqual(edit.status, 400)
      assert.match(edit.text, /redirectUris.0/)
      const mended = yield* browser.call("PATCH", path, {
        name: "New Timer",
        redirectUris: ["https://old.example/callback"]
      })
      assert.strictEqual(mended.status, 200)
      assert.include(
        (yield* browser.get(`/settings/apps/${old.client_id}/settings`)).text,
        "until the change that replaces them"
      )
    }))

  it.effect("are never kept when they could run as code, or cannot be answered", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const bad = ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "file:///etc/passwd", "intent://x"]
      for (const uri of [...bad, "http://old.example/#x", "http://u:p@old.example/", "http://", "callback"]) {
        const error = yield* Effect.flip(
          apply(jsonLines(app(owner, { redirect_uris: [uri] })), { keepsRedirectUris: true })
        )
        assert.strictEqual(error.code, "import_unfit", uri)
      }
    }))
})

layer(server(), { timeout: 60_000 })("A cut-over in two files", (it) => {
  it.effect("takes tokens from before the save, except of users who have authorized anew since", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { token: post } = yield* serverClient
      const [owner, ann, ben] = [yield* newAccount("owner"), yield* newAccount("ann"), yield* newAccount("ben")]
      const old = app(owner, { client_id: `two-${unique()}` })
      yield* apply(jsonLines(old), {})
      const credentials = basic(old.client_id, "s3cr+t/%2B==old-server")
      const browser = yield* visitor(owner)
      const saved = yield* browser.call("PATCH", `/v2/oauth-clients/${old.client_id}`, {
        scopes: ["PROFILE_READ"],
        breakOldUrls: true
      })
      assert.strictEqual(saved.status, 200)

      const visit = yield* visitor(ann)
      const redirectUri = "https://old.example/callback"
      const query = new URLSearchParams({ client_id: old.client_id, redirect_uri: redirectUri, scope: "PROFILE_READ" })
      const asked = yield* visit.get(`/auth/oauth2/authorize?${query}`)
      const request = /name="request" value="([^"]*)"/.exec(asked.text)?.[1] ?? ""
      const allowed = yield* visit.post("/auth/oauth2/decision", { request, decision: "allow" })
      const code = new URL(allowed.headers.get("location") ?? "about:blank").searchParams.get("code") ?? ""
      const exchanged = yield* post(
        { grant_type: "authorization_code", code, redirect_uri: redirectUri },
        credentials
      )
      assert.strictEqual(exchanged.status, 200)

      const [ofAnn, ofBen] = [`v1.${unique()}-of-old-server`, `v1.${unique()}-of-old-server`]
      const second = jsonLines({
        client_id: old.client_id,
        refresh_tokens: [token(ofAnn, ann), token(ofBen, ben)]
      })
      const plan = yield* apply(second, {})
      assert.strictEqual(
        plan.findings[0]?.text,
        "1 refresh token, a refresh token is left out: its user has authorized the app anew since the scopes were saved, " +
          "a refresh token from before the scopes were saved works until its user authorizes the app anew"
      )
      const refresh = (text: string) => post({ grant_type: "refresh_token", refresh_token: text }, credentials)
      assert.strictEqual((yield* refresh(ofAnn)).status, 400)
      const answer = yield* refresh(ofBen)
      assert.deepStrictEqual([answer.status, answer.json["scope"]], [200, ""])
      assert.deepStrictEqual(
        yield* sql`SELECT count(*)::int AS n FROM grants WHERE client_id = ${old.client_id} AND revoked_at IS NULL`,
        [{ n: 2 }]
      )
    }))
})

layer(server(), { timeout: 60_000 })("An import file", (it) => {
  it.effect("may be one JSON array, whose elements are named by their lines", () =>
    Effect.gen(function*() {
      const owner = yield* newAccount("owner")
      const [good, bad] = [app(owner), app("nobody")]
      const text = `\n[\n${JSON.stringify(good, null, 2)},\n${JSON.stringify(bad)}\n]`
      const { findings, misfits } = yield* apply(text, { skips: true })
      assert.deepStrictEqual(findings.map(({ isNotable, kind, line }) => `${line} ${kind} ${isNotable}`), [
        "3 new false",
        `${3 + JSON.stringify(good, null, 2).split("\n").length} wrong true`
      ])
      assert.deepStrictEqual(misfits, [JSON.stringify(bad)])
      assert.strictEqual((yield* Effect.flip(apply("[{]", {}))).code, "import_unfit")
    }))

  it.effect("without a record is an error", () =>
    Effect.gen(function*() {
      for (const text of ["", "\n\n", "[]", "client_id,owner\n"]) {
        assert.strictEqual((yield* Effect.flip(apply(text, {}))).code, "import_empty", JSON.stringify(text))
      }
    }))
})
