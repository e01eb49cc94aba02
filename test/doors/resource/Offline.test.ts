import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SignJWT } from "jose"
import { createHmac, generateKeyPairSync } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { documented } from "../../support/Gateway.ts"
import * as LiveServer from "../../support/LiveServer.ts"

interface Example {
  readonly verify: (token: string) => Promise<Record<string, unknown>>
  readonly covers: (claims: Record<string, unknown>, scope: string) => boolean
}

/** Example of docs/offline.md, at the address of the test's server. */
const example = Effect.gen(function*() {
  const { url } = yield* LiveServer.LiveServer
  // The folder is inside the project, so that the example finds its library.
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(import.meta.dirname, "example-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const file = join(folder, "offline.js")
  writeFileSync(file, documented("offline.md", "js").replaceAll("https://api.example.com", url))
  return yield* Effect.promise((): Promise<Example> => import(file))
})

const refused = ({ verify }: Example, token: string) =>
  Effect.map(
    Effect.promise(() => verify(token).then(() => "verified", () => "refused")),
    (outcome) => assert.strictEqual(outcome, "refused")
  )

layer(LiveServer.layer(), { excludeTestServices: true })("the example of docs/offline.md", (it) => {
  it.effect("verifies a token of ours and reads its scopes", () =>
    Effect.gen(function*() {
      const { covers, verify } = yield* example
      const { accessToken, client, user } = yield* LiveServer.newConnection(["BOOKING_READ", "ORG_PROFILE_READ"])
      const claims = yield* Effect.promise(() => verify(accessToken))
      assert.include(claims, { sub: user.id, client_id: client.id, scope: "BOOKING_READ ORG_PROFILE_READ" })
      assert.isTrue(covers(claims, "BOOKING_READ"))
      assert.isTrue(covers(claims, "TEAM_PROFILE_READ"))
      assert.isFalse(covers(claims, "PROFILE_READ"))
      assert.isFalse(covers(claims, "BOOKING_WRITE"))
      assert.isFalse(covers({}, "BOOKING_READ"))
    }))

  it.effect("knows a legacy grant, which nothing restricts", () =>
    Effect.gen(function*() {
      const { covers, verify } = yield* example
      const { accessToken } = yield* LiveServer.newConnection(null)
      const claims = yield* Effect.promise(() => verify(accessToken))
      assert.notProperty(claims, "scope")
      assert.isTrue(covers(claims, "ORG_WEBHOOK_WRITE"))
    }))

  it.effect("refuses what is not ours, or not an access token", () =>
    Effect.gen(function*() {
      const tools = yield* example
      const { accessToken } = yield* LiveServer.newConnection()
      const [header = "", payload = "", signature = ""] = accessToken.split(".")
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
      const { kid } = JSON.parse(Buffer.from(header, "base64url").toString())
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString())
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
      const foreign = yield* Effect.promise(() =>
        new SignJWT(claims).setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid }).sign(privateKey)
      )
      const unsigned = `${encode({ alg: "none", typ: "at+jwt" })}.${payload}.`
      const confused = `${encode({ alg: "HS256", typ: "at+jwt", kid })}.${payload}`
      const hmac = createHmac("sha256", "public key").update(confused).digest("base64url")

      yield* refused(tools, foreign)
      yield* refused(tools, unsigned)
      yield* refused(tools, `${confused}.${hmac}`)
      yield* refused(tools, `${header}.${encode({ ...claims, scope: "BOOKING_WRITE" })}.${signature}`)
      yield* refused(tools, "not a token")
      assert.strictEqual((yield* Effect.promise(() => tools.verify(accessToken)))["sub"], claims.sub)
    }))
})
