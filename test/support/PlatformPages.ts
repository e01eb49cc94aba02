import { Context, Effect, Layer } from "effect"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { join } from "node:path"
import { listen } from "./Listening.ts"
import { certificate, key as certificateKey } from "./PictureHost.ts"
import { temporaryFolder } from "./TestDatabase.ts"

type HandOver = (request: string, user: Readonly<Record<string, string>>) => string

/**
 * What a platform without OpenID Connect has: a sign-in page that hands over by the program for Node of
 * docs/identity.md, the keys of a proxy in front, and the sign-in page of a program that embeds the server.
 */
export class PlatformPages extends Context.Service<PlatformPages, {
  /** Settings of a server whose users are handed over. */
  readonly handover: Readonly<Record<string, string>>
  /** Settings of a server behind the proxy. */
  readonly proxy: Readonly<Record<string, string>>
  /** Assertion of the proxy about a user. */
  readonly assertion: (subject: string, name: string) => Effect.Effect<string>
  /** Flag with which Chromium finds the names of the platform here, and no others. */
  readonly flag: string
}>()("slotkey/test/support/PlatformPages") {
  static readonly layer = Layer.effect(
    PlatformPages,
    Effect.gen(function*() {
      const key = "the-key-of-the-platform-0123456789abcdef"
      const file = join(yield* temporaryFolder, "platform.mjs")
      writeFileSync(file, programs.get("Node") ?? "")
      Object.assign(process.env, { HANDOVER_KEY: key })
      const { handOver }: { readonly handOver: HandOver } = yield* Effect.promise(() => import(file))

      const { privateKey, publicKey } = yield* Effect.promise(() => generateKeyPair("ES256"))
      const keys = [{ ...(yield* Effect.promise(() => exportJWK(publicKey))), kid: "1", alg: "ES256" }]

      const answer = (request: IncomingMessage, response: ServerResponse) => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://platform.invalid")
        const sent = searchParams.get("request") ?? ""
        const html = (text: string) => response.setHeader("content-type", "text/html; charset=utf-8").end(text)
        if (pathname === "/keys") response.end(JSON.stringify({ keys }))
        else if (pathname === "/login" && sent === "") html(`<a href="${searchParams.get("next") ?? ""}">I am Uma</a>`)
        else if (pathname === "/login") html(`<a href="/in?request=${sent}">I am Uma</a>`)
        else if (pathname === "/in") html(handOver(sent, { sub: "42", name: "Uma Ünal" }))
        else response.writeHead(404).end()
      }
      const plain = yield* listen(createServer(answer))
      const secure = yield* listen(createSecureServer({ key: certificateKey, cert: certificate }, answer))

      return {
        handover: {
          SIGN_IN: "handover",
          HANDOVER_URL: `http://localhost:${plain}/login`,
          HANDOVER_KEY: key
        },
        proxy: {
          SIGN_IN: "proxy",
          PROXY_HEADER: "X-Assertion",
          PROXY_JWKS_URL: `http://localhost:${plain}/keys`,
          PROXY_ISSUER: "https://proxy.example",
          PROXY_AUDIENCE: "slotkey"
        },
        assertion: (subject, name) =>
          Effect.promise(() =>
            new SignJWT({ name }).setProtectedHeader({ alg: "ES256", kid: "1" }).setIssuer("https://proxy.example")
              .setAudience("slotkey").setSubject(subject).setExpirationTime("5 minutes").sign(privateKey)
          ),
        flag: `--host-resolver-rules=MAP www.platform.example localhost:${secure}, MAP *.example ~NOTFOUND`
      }
    })
  )
}

/** Platform's side of a hand-over as docs/identity.md has it, by language. */
export const programs = new Map(
  [...readFileSync("docs/identity.md", "utf8").matchAll(/^### (\w+)\n\n```\w+\n([\s\S]*?)^```$/gm)]
    .map(([, language = "", code = ""]) => [language, code])
)
