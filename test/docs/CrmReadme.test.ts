import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, cpSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { commandFolder } from "../support/CommandFolder.ts"
import { eventually } from "../support/Eventually.ts"
import { freePort } from "../support/FreePort.ts"
import { password } from "../support/LiveServer.ts"
import * as Script from "../support/Script.ts"

const example = resolve(import.meta.dirname, "../../examples/crm")
const readme = readFileSync(join(example, "README.md"), "utf8")

/** Block of commands between the comments of this name. */
const block = (name: string): string => {
  const [, text] = new RegExp(`<!-- ${name} -->\n\`\`\`sh\n([^]*?)\`\`\`\n<!-- /${name} -->`).exec(readme) ?? []
  return text ?? assert.fail(name)
}

/** Commands of the flow, each below its comment. */
const [prepare = "", register = "", approve = "", open = "", exchange = "", startApi = "", call = ""] = block("flow")
  .split(/^# /m).slice(1).map((step) => step.slice(step.indexOf("\n") + 1))

const answering = (url: string) => eventually(Effect.promise(() => fetch(url).then(({ ok }) => ok, () => false)))

/** Signs in on the server's page, allows what the address asks for, and answers the address at the app. */
const allow = async (server: string, address: string): Promise<URL> => {
  const post = (path: string, cookie: string, fields: Readonly<Record<string, string>>) =>
    fetch(`${server}${path}`, {
      method: "POST",
      headers: { cookie, origin: server },
      redirect: "manual",
      body: new URLSearchParams(fields)
    })
  const signedIn = await post("/sign-in", "", { email: "ada@example.com", password, return_to: "/" })
  const cookie = signedIn.headers.getSetCookie().map((text) => text.split(";")[0]).join("; ")
  const page = await (await fetch(address, { headers: { cookie } })).text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ""
  const fields = { csrf: field("csrf"), request: field("request"), decision: "allow" }
  return new URL((await post("/auth/oauth2/decision", cookie, fields)).headers.get("location") ?? "")
}

describe("the README of examples/crm", () => {
  it.live("begins in an empty folder, with what is left to do by hand", () =>
    Effect.gen(function*() {
      const { folder, run } = yield* commandFolder
      copyFileSync(join(example, "openapi.yaml"), join(folder, "openapi.yaml"))
      const imported = run(block("import"))
      assert.deepStrictEqual([imported.status, imported.stderr], [0, ""])
      // Whatever the list of the README is about.
      for (
        const left of ["api", "levels", "reviewAlways", "everyone", "implies", "removes", "samples", "members.write"]
      ) {
        assert.include(imported.stdout, left)
        assert.include(readme, left)
      }
      // What the hand did is the file of the example.
      copyFileSync(join(example, "slotkey.catalogue.json"), join(folder, "slotkey.catalogue.json"))
      const checked = run(block("check"))
      assert.deepStrictEqual([checked.status, checked.stderr], [0, ""])
      assert.match(checked.stdout, /^slotkey\.catalogue\.json can be used: 12 scopes, 40 operations, hash [\w-]{43}\n$/)
      assert.strictEqual(
        readFileSync(join(folder, "slotkey.d.ts"), "utf8"),
        readFileSync(join(example, "slotkey.d.ts"), "utf8")
      )
      assert.strictEqual(run(block("ci")).status, 0)
    }))

  it.live.skipIf(!Script.isAvailable("curl", "--version"))(
    "leads from a server to the first call of the API",
    () =>
      Effect.gen(function*() {
        const { folder, run, start } = yield* commandFolder
        for (const file of ["slotkey.catalogue.json", "src", "package.json"]) {
          cpSync(join(example, file), join(folder, file), { recursive: true })
        }
        const [port, operatorPort, apiPort] = [yield* freePort, yield* freePort, yield* freePort]
        const settings = { PORT: String(port), OPERATOR_PORT: String(operatorPort), HOST: "127.0.0.1" }
        const server = `http://localhost:${port}`
        yield* start(block("serve"), settings)
        yield* answering(`${server}/.well-known/jwks.json`)
        // In the place of the link that the server prints.
        const account = "slotkey accounts create --email ada@example.com --name Ada --role admin --password-stdin"
        const made = run(`echo '${password}' | CATALOGUE=slotkey.catalogue.json ${account}`, settings)
        assert.strictEqual(made.status, 0, made.stderr)

        const values: Record<string, string> = {}
        const here = (commands: string) =>
          commands.replaceAll("localhost:3000", `localhost:${port}`).replaceAll(
            "localhost:8080",
            `localhost:${apiPort}`
          )
        const say = (...names: ReadonlyArray<string>) => names.map((name) => `\necho "$${name}"`).join("")
        const prepared = run(here(`${prepare}${say("KEY", "CREDENTIAL")}`), settings)
        const [KEY = "", CREDENTIAL = ""] = prepared.stdout.trim().split("\n")
        assert.deepStrictEqual([prepared.stderr, KEY.slice(0, 8), CREDENTIAL.slice(0, 7)], ["", "slk_key_", "slk_rs_"])
        Object.assign(values, { KEY, CREDENTIAL })
        const abbreviations = prepare.split("\n").filter((line) => line.startsWith("json=")).join("\n")
        const step = (commands: string) => run(here(`${abbreviations}\n${commands}`), { ...settings, ...values }).stdout

        const app = JSON.parse(step(register)).data
        Object.assign(values, { ID: app.id, SECRET: app.secret })
        assert.strictEqual(JSON.parse(step(approve)).data.status, "approved")
        const callback = yield* Effect.promise(() => allow(server, `http://${step(open).trim()}`))
        values["CODE"] = callback.searchParams.get("code") ?? ""
        values["ACCESS_TOKEN"] = JSON.parse(step(exchange)).access_token
        yield* start(startApi, { ...values, SLOTKEY_URL: server, PORT: String(apiPort) })
        yield* answering(`http://localhost:${apiPort}/api/health`)
        const [contacts = "", challenge = ""] = step(call).trim().split(/\n|(?<=\])(?=www-)/i)
        assert.match(contacts, /^\[\{"id":"7","name":"Grace, whom .* met"\}\]/)
        assert.match(challenge, /error="insufficient_scope".* scope="[^"]*\bdeals\.read\b/)
      }),
    120_000
  )
})
