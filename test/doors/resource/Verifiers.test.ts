import { assert, describe, layer } from "@effect/vitest"
import { Context, DateTime, Effect, Layer } from "effect"
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose"
import { execFileSync } from "node:child_process"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:https"
import { join } from "node:path"
import { SigningKeys } from "../../../src/core/keys/SigningKeys.ts"
import { freePort } from "../../support/FreePort.ts"
import { answering, documented, isAvailable, type Received, run, send, upstream } from "../../support/Gateway.ts"
import * as Live from "../../support/LiveServer.ts"
import * as Script from "../../support/Script.ts"
import { temporaryFolder } from "../../support/TestDatabase.ts"

/** A program that verifies our tokens with the configuration of docs/offline.md, before a small API. */
class Verifier
  extends Context.Service<Verifier, { readonly port: number }>()("slotkey/test/doors/resource/Verifiers.test/Verifier")
{}

/** A configuration of the page, with the addresses of this test. */
const configuration = Effect.fnUntraced(function*(language: string) {
  const { url } = yield* Live.LiveServer
  const port = yield* freePort
  const folder = yield* temporaryFolder
  // Apache and HAProxy give up the rights of root.
  chmodSync(folder, 0o755)
  const text = documented("offline.md", language)
    .replaceAll("https://api.example.com", url)
    .replaceAll("127.0.0.1:8000", `127.0.0.1:${port}`)
    .replaceAll("127.0.0.1:8080", `127.0.0.1:${yield* upstream}`)
    .replaceAll("/etc/haproxy/slotkey", folder)
  return { url, port, folder, text }
})

const haproxy = Layer.effect(
  Verifier,
  Effect.gen(function*() {
    const { folder, port, text, url } = yield* configuration("haproxy")
    const program = join(folder, "keys.mjs")
    writeFileSync(program, documented("offline.md", "mjs"))
    yield* (yield* Script.start(process.execPath, [program, `${url}/.well-known/jwks.json`, folder])).rest
    const file = join(folder, "haproxy.cfg")
    writeFileSync(file, `defaults\n  timeout connect 60s\n  timeout client 60s\n  timeout server 60s\n${text}\n`)
    yield* run("haproxy", ["-q", "-db", "-f", file], folder)
    yield* answering(port)
    return { port }
  })
)

/** Serves what a server has by https, which mod_auth_openidc insists on, under a new certificate in the folder. */
const withHttps = Effect.fnUntraced(function*(url: string, folder: string) {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
  execFileSync("openssl", ["req", "-x509", "-newkey", "ed25519", "-nodes", "-keyout", key, "-out", cert, ...subject])
  const port = yield* freePort
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    const answer = await fetch(new URL(request.url ?? "", url))
    response.writeHead(answer.status).end(await answer.text())
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(port, "localhost", () => resume(Effect.void))),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  return `https://localhost:${port}`
})

const apache = Layer.effect(
  Verifier,
  Effect.gen(function*() {
    const { folder, port, text, url } = yield* configuration("apache")
    const secure = yield* withHttps(url, folder)
    const file = join(folder, "apache2.conf")
    const modules = [
      "mpm_event",
      "authn_core",
      "authz_core",
      "auth_openidc",
      "headers",
      "proxy",
      "proxy_http"
    ].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    writeFileSync(
      file,
      `${modules.join("\n")}
ServerName localhost
Listen 127.0.0.1:${port}
User nobody
Group nogroup
PidFile ${folder}/pid
Mutex pthread
ErrorLog ${folder}/error.log
OIDCCABundlePath ${folder}/cert.pem
${text.replace(`${url}/.well-known`, `${secure}/.well-known`)}
`
    )
    yield* run("apache2", ["-d", folder, "-f", file, "-D", "FOREGROUND"], folder)
    yield* answering(port)
    return { port }
  })
)

const verifiers = [
  {
    name: "HAProxy",
    program: "haproxy",
    verifier: haproxy,
    forged: ["x-slotkey-user", "x-slotkey-scope", "x_slotkey_user"],
    lacksScope: 403,
    checksType: true,
    namesScope: true
  },
  {
    name: "Apache with mod_auth_openidc",
    program: "apache2",
    verifier: apache,
    forged: ["oidc_claim_sub", "oidc_claim_other", "oidc-claim-sub"],
    lacksScope: 401,
    checksType: false,
    namesScope: false
  }
] as const

const call = (token?: string, path = "/v2/bookings", headers: Record<string, string> = {}) =>
  Effect.flatMap(
    Verifier,
    ({ port }) => send(port, path, { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) })
  )

const refused = Effect.fnUntraced(function*(token: string, why: string) {
  const { headers, status } = yield* call(token)
  assert.strictEqual(status, 401, why)
  assert.match(headers["www-authenticate"] ?? "", /^Bearer .*error="invalid_token"/, why)
})

/** Token with other claims or another header, signed with the server's own key or with another one. */
const signed = Effect.fnUntraced(function*(
  token: string,
  changes: { readonly claims?: object; readonly header?: object; readonly key?: KeyObject }
) {
  const { key } = (yield* SigningKeys).signing(yield* DateTime.now)
  return yield* Effect.promise(() =>
    new SignJWT({ ...decodeJwt(token), ...changes.claims })
      .setProtectedHeader({ ...decodeProtectedHeader(token), alg: "ES256", ...changes.header })
      .sign(changes.key ?? key.privateKey)
  )
})

layer(Live.layer(), { excludeTestServices: true })("with a program by docs/offline.md", (it) => {
  for (const { checksType, forged, lacksScope, name, namesScope, program, verifier } of verifiers) {
    describe.skipIf(!isAvailable(program))(name, () => {
      it.layer(verifier)((it) => {
        it.effect("lets a good token pass, and tells the API its user", () =>
          Effect.gen(function*() {
            for (const scopes of [["PROFILE_READ", "BOOKING_READ"], null] as const) {
              const { accessToken, user } = yield* Live.newConnection(scopes)
              const { body, status } = yield* call(
                accessToken,
                "/v2/bookings?status=open",
                Object.fromEntries(
                  forged.map((header) => [header, "admin"])
                )
              )
              assert.strictEqual(status, 200, body)
              const received: Received = JSON.parse(body)
              assert.strictEqual(received.url, "/v2/bookings?status=open")
              assert.include(Object.values(received.headers), user.id)
              assert.notInclude(Object.values(received.headers), "admin")
              assert.notProperty(received.headers, "authorization")
            }
          }))

        it.effect("refuses a call without a token, and one that is no token", () =>
          Effect.gen(function*() {
            const none = yield* call()
            assert.strictEqual(none.status, 401)
            assert.match(none.headers["www-authenticate"] ?? "", /^Bearer/)
            yield* refused("a.b.c", "no token")
            if (!namesScope) return
            for (const { headers } of [none, yield* call("a.b.c")]) {
              assert.include(headers["www-authenticate"], "scope=\"BOOKING_READ\"")
            }
          }))

        it.effect("refuses tokens that are forged, expired, or for others", () =>
          Effect.gen(function*() {
            const { accessToken } = yield* Live.newConnection(["PROFILE_READ", "BOOKING_READ"])
            const now = Math.floor(DateTime.toEpochMillis(yield* DateTime.now) / 1000)
            assert.strictEqual((yield* call(yield* signed(accessToken, {}))).status, 200)
            const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
            yield* refused(yield* signed(accessToken, { key }), "another key")
            yield* refused(yield* signed(accessToken, { claims: { exp: now - 60 } }), "expired")
            if (checksType) yield* refused(yield* signed(accessToken, { header: { typ: "JWT" } }), "another type")
            const unsigned = Buffer.from(`{"alg":"none","typ":"at+jwt"}`).toString("base64url")
            yield* refused(`${unsigned}.${accessToken.split(".")[1]}.`, "unsigned")
            for (const claims of [{ iss: "https://other.example" }, { aud: "https://other.example" }]) {
              assert.strictEqual(
                (yield* call(yield* signed(accessToken, { claims }))).status,
                401,
                JSON.stringify(claims)
              )
            }
          }))

        it.effect("refuses a token that lacks the scope", () =>
          Effect.gen(function*() {
            const { accessToken } = yield* Live.newConnection(["PROFILE_READ"])
            const { headers, status } = yield* call(accessToken)
            assert.strictEqual(status, lacksScope)
            assert.match(headers["www-authenticate"] ?? "", /^Bearer error="insufficient_scope"/)
          }))
      })
    })
  }
})
