import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"
import { recipes } from "../../src/doors/portal/Recipes.ts"
import { codeOnPage, saved } from "../support/AppPage.ts"
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

const refreshesOf = Effect.fnUntraced(function*(clientId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly generation: number }>`SELECT generation FROM grants WHERE client_id = ${clientId}`
  return rows.map(({ generation }) => generation)
})
