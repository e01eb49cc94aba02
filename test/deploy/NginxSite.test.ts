import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { request } from "node:https"
import { join } from "node:path"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import * as Gateway from "../support/Gateway.ts"
import { temporaryFolder } from "../support/TestDatabase.ts"
import { read } from "./Dockerfile.ts"

const site = read("deploy/nginx-site.conf")

/** Directives of a file, without comments and indentation; those that a block begins with among them. */
const directives = (text: string): ReadonlyArray<string> =>
  text.replaceAll(/^ *#.*\n/gm, "").split("\n").map((line) => line.trim()).filter((line) =>
    /^[a-z$"].*[;{]$/.test(line)
  )

/** Asks for a page by TLS, whatever the certificate; answers what the server behind received. */
const ask = (port: number, path: string, headers: Readonly<Record<string, string>>) =>
  Effect.callback<Gateway.Received>((resume) => {
    request({ host: "127.0.0.1", port, path, headers, rejectUnauthorized: false }, (response) => {
      let body = ""
      response.on("data", (chunk) => body += chunk)
      response.on("end", () => resume(Effect.succeed(JSON.parse(body))))
    }).end()
  })

describe("deploy/nginx-site.conf", () => {
  it("has the rules of docker-compose.yml's nginx, but for the addresses of the servers and the times of containers", () => {
    const own = new Set(directives(site))
    const rules = directives(read("deploy/nginx.conf"))
      .filter((line) =>
        /^(?:map|default|"|location|proxy_(?!temp)|limit_|client_max|keepalive \d|server_tokens)/.test(line)
      )
    assert.isAtLeast(rules.length, 15)
    assert.deepStrictEqual(rules.filter((line) => !own.has(line)), [])
    const failures = (text: string) =>
      new Set([...text.matchAll(/^ +server \S+:3000 .*?(max_fails=.*);/gm)].map(([, m]) => m))
    assert.deepStrictEqual(failures(site), failures(read("deploy/nginx.conf")))
  })

  it.live.skipIf(!Gateway.isAvailable("nginx") || !Gateway.isAvailable("openssl"))(
    "loads, ends TLS, and tells the server who asks",
    () =>
      Effect.gen(function*() {
        const folder = yield* temporaryFolder
        const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")]
        const names = ["-subj", "/CN=slotkey.example.com", "-days", "2"]
        const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...names, "-keyout", key, "-out", certificate]
        execFileSync("openssl", words, { stdio: "pipe" })
        const [http, https] = [yield* freePort, yield* freePort]
        const log = join(folder, "slotkey.log")
        const here = site
          .replaceAll(/^ *listen \[::\].*\n/gm, "")
          .replace("listen 80;", `listen 127.0.0.1:${http};`)
          .replace("listen 443 ", `listen 127.0.0.1:${https} `)
          .replace("127.0.0.1:3000 ", `127.0.0.1:${yield* Gateway.upstream} `)
          .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, certificate)
          .replace(/\/etc\/letsencrypt\S+privkey\.pem/, key)
          .replace("/var/log/nginx/slotkey.log", log)
        yield* Gateway.startNginx(here, http)

        const plain = yield* Gateway.send(http, "/sign-in?next=1", { host: "slotkey.example.com" })
        assert.deepStrictEqual(
          [plain.status, plain.headers.location],
          [308, "https://slotkey.example.com/sign-in?next=1"]
        )
        const { headers, url } = yield* ask(https, "/auth/oauth2/authorize?code=secret", {
          host: "slotkey.example.com",
          "x-forwarded-for": "192.0.2.1",
          "x-request-id": "of-the-caller"
        })
        assert.strictEqual(url, "/auth/oauth2/authorize?code=secret")
        assert.deepInclude(headers, {
          host: "slotkey.example.com",
          "x-forwarded-for": "192.0.2.1, 127.0.0.1",
          "x-request-id": "of-the-caller"
        })
        const logged = () => readFileSync(log, "utf8")
        yield* eventually(Effect.sync(() => logged().includes(" of-the-caller ")))
        assert.match(logged(), / of-the-caller 127\.0\.0\.1 GET \/auth\/oauth2\/authorize 200 /)
        assert.notInclude(logged(), "secret")
      })
  )
})
