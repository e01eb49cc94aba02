import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"
import { platforms } from "../../src/doors/portal/Platforms.ts"
import { recipes } from "../../src/doors/portal/Recipes.ts"
import { codeOnPage, platformOnPage, saved } from "../support/AppPage.ts"
import { decide } from "../support/ConsentPage.ts"
import * as Live from "../support/LiveServer.ts"
import * as Script from "../support/Script.ts"

/**
 * How to run the recipes that read from the terminal, by their files, and a command that fails where they cannot run.
 */
const programs: Readonly<
  Record<string, { readonly command: ReadonlyArray<string>; readonly check: ReadonlyArray<string> }>
> = {
  "openid-client.mjs": { command: [process.execPath], check: [process.execPath, "--version"] },
  "app.py": { command: [Script.python], check: [Script.python, "-c", "import authlib, requests"] },
  "app.go": {
    command: ["go", "run"],
    check: ["sh", "-c", `command -v go && ls ${Script.goPath}/src/golang.org/x/oauth2`]
  },
  "app.php": { command: ["php"], check: ["php", "-r", "curl_init();"] },
  "app.rb": { command: ["ruby"], check: ["ruby", "-e", "require 'oauth2'"] }
}

const journeys = recipes.flatMap(({ file, kinds, title }) => {
  const program = programs[file]
  return program === undefined ? [] : kinds.map((kind) => ({ file, kind, title, ...program }))
})

// With characters that have a meaning in literals of the shell and of PHP.
const redirectUri = `https://buddy.example/call'$back`

layer(Live.layer(), { excludeTestServices: true })("the page of an app", (it) => {
  for (
    const { check: [program = "", ...args], command: [interpreter = "", ...options], file, kind, title } of journeys
  ) {
    describe.skipIf(!Script.isAvailable(program, ...args))(`has a recipe that connects a ${kind} app`, () => {
      it.effect(title, () =>
        Effect.gen(function*() {
          const { client, owner, secret } = yield* Live.newApp({ kind, redirectUris: [redirectUri] })
          const user = yield* Live.newAccount()
          const program = yield* saved(file, yield* codeOnPage(owner, client.id, `Code for ${title}`))
          const talk = yield* Script.start(interpreter, [...options, program], { CLIENT_SECRET: secret })
          let line = yield* talk.read
          while (!line.startsWith("http")) line = yield* talk.read
          yield* talk.write((yield* decide(user, line, "allow")).href)
          assert.include(yield* talk.rest, user.id)
          assert.deepStrictEqual(yield* refreshesOf(client.id), [1])
        }))
    })
  }

  for (const { callback, kinds, title } of platforms) {
    for (const kind of kinds) {
      it.effect(`has what connects a ${kind} app by ${title}`, () =>
        Effect.gen(function*() {
          // What only the user of the platform knows: the host of their own server, or the number of their app.
          const redirectUri = callback.replace("…", callback.startsWith("https://…") ? "buddy.example" : "App1CLIAPI")
          const { client, owner, secret } = yield* Live.newApp({ kind, redirectUris: [redirectUri] })
          const user = yield* Live.newAccount()
          const form = yield* platformOnPage(owner, client.id, title)
          const { authorize, basic, token } = wordsOf(title)
          const isPkce = form["Code Challenge Method"] === "SHA-256"
          const verifier = randomBytes(32).toString("base64url")
          const asked = new URL(form[authorize] ?? "")
          asked.search = String(
            new URLSearchParams({
              response_type: "code",
              client_id: form["Client ID"] ?? "",
              redirect_uri: form["Callback URL"] ?? redirectUri,
              scope: form["Scope"] ?? form["Scopes"] ?? "",
              state: "any",
              ...(isPkce
                ? {
                  code_challenge: createHash("sha256").update(verifier).digest("base64url"),
                  code_challenge_method: "S256"
                }
                : {})
            })
          )
          const answer = yield* decide(user, asked.href, "allow")
          assert.strictEqual(`${answer.origin}${answer.pathname}`, redirectUri)
          const clientSecret = form["Client Secret"]?.replace("CLIENT_SECRET", secret)
          const isBasic = basic(form)
          const post = (fields: Readonly<Record<string, string>>) =>
            Effect.promise(async () => {
              const response = await fetch((form[token] ?? "").replace("POST ", ""), {
                method: "POST",
                headers: isBasic ? { authorization: `Basic ${btoa(`${client.id}:${clientSecret}`)}` } : {},
                body: new URLSearchParams({
                  ...fields,
                  ...(isBasic ? {} : { client_id: form["Client ID"] ?? "" }),
                  ...(isBasic || clientSecret === undefined ? {} : { client_secret: clientSecret })
                })
              })
              return JSON.parse(await response.text())
            })
          const tokens = yield* post({
            grant_type: "authorization_code",
            code: answer.searchParams.get("code") ?? "",
            redirect_uri: redirectUri,
            ...(isPkce ? { code_verifier: verifier } : {})
          })
          const { access_token } = yield* post({ grant_type: "refresh_token", refresh_token: tokens.refresh_token })
          const { url } = yield* Live.LiveServer
          const me = yield* Effect.promise(async () => {
            const response = await fetch(form["Test"]?.replace("GET ", "") ?? `${url}/v2/me`, {
              headers: { authorization: `Bearer ${access_token}` }
            })
            return JSON.parse(await response.text())
          })
          assert.strictEqual(me.data.id, user.id)
          assert.deepStrictEqual(yield* refreshesOf(client.id), [1])
        }))
    }
  }

  describe.skipIf(!Script.isAvailable("curl", "--version"))("by hand", () => {
    it.effect.each(["confidential", "public"])(
      "has commands for curl that connect a %s app",
      (kind) =>
        Effect.gen(function*() {
          const { client, owner, secret } = yield* Live.newApp({ kind, redirectUris: [redirectUri] })
          const user = yield* Live.newAccount()
          const verifier = randomBytes(32).toString("base64url")
          const values: Record<string, string> = {
            RANDOM: "any",
            CLIENT_SECRET: secret,
            CODE_VERIFIER: verifier,
            CODE_CHALLENGE: createHash("sha256").update(verifier).digest("base64url")
          }
          const step = (what: string) =>
            Effect.map(
              codeOnPage(owner, client.id, what),
              (code) =>
                Object.entries(values).reduce(
                  (text, [name, value]) => text.replace(new RegExp(`\\b${name}\\b`), value),
                  code
                )
            )
          const run = (what: string) =>
            Effect.gen(function*() {
              const talk = yield* Script.start("sh", ["-c", yield* step(what)])
              return JSON.parse(yield* talk.rest)
            })
          const callback = yield* decide(user, yield* step("Authorization URL"), "allow")
          values["CODE"] = callback.searchParams.get("code") ?? ""
          values["REFRESH_TOKEN"] = (yield* run("Exchange request")).refresh_token
          values["ACCESS_TOKEN"] = (yield* run("Refresh request")).access_token
          assert.strictEqual((yield* run("API call")).data.id, user.id)
          assert.deepStrictEqual(yield* refreshesOf(client.id), [1])
        })
    )
  })
})

/** Names of fields in the form of a platform, and whether it then sends the secret in a header. */
const wordsOf = (title: string) => {
  const words = {
    n8n: { authorize: "Authorization URL", token: "Access Token URL", basic: saysHeader },
    Zapier: { authorize: "Authorization URL", token: "Access Token Request", basic: () => false },
    Make: { authorize: "Authorize URI", token: "Token URI", basic: () => false },
    Postman: { authorize: "Auth URL", token: "Access Token URL", basic: saysHeader }
  }
  const found = Object.entries(words).find(([name]) => name === title)?.[1]
  if (found === undefined) throw new Error(`nobody has said how ${title} connects`)
  return found
}

const saysHeader = (form: Readonly<Record<string, string>>): boolean =>
  /header$/i.test(form["Authentication"] ?? form["Client Authentication"] ?? "")

const refreshesOf = Effect.fnUntraced(function*(clientId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly generation: number }>`SELECT generation FROM grants WHERE client_id = ${clientId}`
  return rows.map(({ generation }) => generation)
})
