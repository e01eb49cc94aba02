import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Result, Stream } from "effect"
import { readFileSync } from "node:fs"
import { readExport } from "../../../../../src/core/legacy/import/from/ExportReader.ts"
import { type Origin, serverNames, servers } from "../../../../../src/core/legacy/import/from/Servers.ts"
import { LegacyImport } from "../../../../../src/core/legacy/import/LegacyImport.ts"
import { exports, people } from "../../../../flows/exports/Exports.ts"
import { layer as server } from "../../../../support/TestServer.ts"
import { listenTo } from "../Scenario.ts"

const inspect = (text: string, from: Origin) =>
  Effect.gen(function*() {
    const told = yield* listenTo((yield* LegacyImport).inspect(Stream.make(text), { from }))
    return { ...told, lines: told.findings.map(({ clientId, kind, text }) => `${clientId} ${kind}: ${text}`) }
  })

/** Records of a text that comes in chunks of this length, and what is wrong with the others. */
const read = (text: string, from: Origin, length = text.length) =>
  Stream.runCollect(readExport(Stream.fromIterable(text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? []), from))

const faultsOf = (text: string, from: Origin) =>
  Effect.map(
    read(text, from),
    (lines) => lines.flatMap(({ record }) => Result.isFailure(record) ? record.failure.faults : [])
  )

const apps = ({ origin, text }: { readonly origin: Origin; readonly text: string }) =>
  Effect.map(
    read(text, origin),
    (lines) =>
      lines.flatMap(({ record }) => Result.isSuccess(record) && record.success.app !== null ? [record.success] : [])
  )

layer(server(), { timeout: 120_000 })("The export of another server", (it) => {
  it.effect("is judged app by app: what comes, what is left out and why, what is to be mended, what is lost", () =>
    Effect.gen(function*() {
      yield* people("correct horse battery staple")
      const told = yield* Effect.all(Object.fromEntries(
        serverNames.map((
          name
        ) => [name, Effect.map(inspect(exports[name].text, exports[name].origin), ({ lines }) => lines)])
      ))
      assert.deepStrictEqual(told, {
        hydra: [
          "4f7a1f6e-0c7d-43bb-9d26-52e1c5f5a0c1 new: new app, 2 secrets, the client credentials grant",
          "hydra-spa new: new app",
          "hydra-batch left-out: it has no authorization code grant"
        ],
        keycloak: [
          "account left-out: it is a part of Keycloak",
          "crm-web new: new app, 1 secret, the client credentials grant",
          told["keycloak"]?.[2] ?? "",
          "mobile new: new app",
          "reports-api left-out: it is an API, and no app"
        ],
        doorkeeper: [
          "dk-crm-7Xr0aPqkD1uVvYtZ2w new: new app, 1 secret, 1 refresh token",
          "dk-crm-7Xr0aPqkD1uVvYtZ2w adds: 1 refresh token",
          told["doorkeeper"]?.[2] ?? ""
        ],
        django: [
          "Dj4ng0CrmXq2wErTyUiOpAsDfGhJkLzXcVbNmQw1 new: new app, 1 secret",
          "Dj4ng0SpaXq2wErTyUiOpAsDfGhJkLzXcVbNmQw2 new: new app",
          "Dj4ng0Batch left-out: it has no authorization code grant",
          "Dj4ng0CrmXq2wErTyUiOpAsDfGhJkLzXcVbNmQw1 adds: 1 refresh token"
        ],
        passport: [
          "1 left-out: it is for personal access tokens",
          "3 new: new app, 1 secret",
          "4 new: new app",
          "5 new: new app, 1 secret",
          "6 left-out: it is revoked there"
        ],
        auth0: [
          "a0CrmXq2wErTyUiOpAsDfGhJkLzXcVbN new: new app, 1 secret, its logo_url \"http://crm.example/logo.png\", " +
          "the client credentials grant, the implicit grant",
          "a0SpaXq2wErTyUiOpAsDfGhJkLzXcVbN new: new app, the client credentials grant, the implicit grant",
          "a0BatchXq2wErTyUiOpAsDfGhJkLzXcV left-out: it has no authorization code grant",
          "a0GlobalXq2wErTyUiOpAsDfGhJkLzXc left-out: it is a part of Auth0"
        ],
        prisma: [
          "pr1smaCrm0123456789abcdef new: new app, 1 secret",
          "pr1smaSpa0123456789abcdef new: new app",
          "pr1smaNew0123456789abcdef new: new app, 1 secret",
          "pr1smaBad0123456789abcdef new: new app, 1 secret"
        ]
      })
      assert.match(told["keycloak"]?.[2] ?? "", /^wall-display wrong: redirect_uris\.0 .*\*/)
      assert.match(told["doorkeeper"]?.[2] ?? "", /^dk-native-Lq3bNwz wrong: redirect_uris\.0 /)
    }))

  it.effect("is refused in one line when it is another server's", () =>
    Effect.gen(function*() {
      for (const name of serverNames) {
        for (const other of serverNames.filter((other) => other !== name)) {
          const { lines, wrong } = yield* inspect(exports[other].text, { ...exports[name].origin, server: name })
          const [line = "", ...more] = lines
          assert.deepStrictEqual([more, wrong], [[], 1], `${other} as ${name}: ${line}`)
          assert.include(
            line,
            `wrong: the file is no export of ${servers[name].title}, which is ${servers[name].expected}.`
          )
        }
      }
      const { lines } = yield* inspect(exports.auth0.text.replaceAll("\n", ""), { server: "hydra" })
      assert.deepStrictEqual(lines.length, 1)
    }))
})

describe("The reader of exports", () => {
  it.effect.each(serverNames)("reads alike however the text comes: %s", (name) =>
    Effect.gen(function*() {
      const { origin, text } = exports[name]
      const whole = yield* read(text, origin)
      assert.isAbove(whole.length, 2)
      for (const length of [1, 7, 64]) assert.deepStrictEqual(yield* read(text, origin, length), whole)
    }))

  it.effect.each(serverNames)("takes no part of a file for the whole: %s", (name) =>
    Effect.gen(function*() {
      const { origin, text } = exports[name]
      const isAtFault = (part: string) =>
        Effect.map(read(part, origin), (lines) =>
          lines.length === 0 ||
          lines.some(({ record }) => Result.isFailure(record) && record.failure.isLeftOut !== true))
      const isCsv = !/^[[{]/.test(text)
      for (let part = 1; part < 40; part++) {
        // Of CSV a whole cell is missing: nobody can tell a shorter last one.
        const end = Math.floor(text.trimEnd().length * part / 40)
        const cut = text.slice(0, isCsv ? text.lastIndexOf(",", end) : end)
        if (cut.trimEnd() === "" || text[cut.length] === "\n" || cut.endsWith("\n")) continue
        if (isCsv && !cut.includes("\n")) continue
        assert.isTrue(yield* isAtFault(cut), `${name}, ${cut.length} of ${text.length} characters`)
      }
    }))

  it.effect("reads what the command line and the API of Hydra list, a page or all", () =>
    Effect.gen(function*() {
      const rows = exports.hydra.text.trimEnd().split("\n").map((line) => JSON.parse(line))
      const wanted = (yield* apps(exports.hydra)).map(({ client_id }) => client_id)
      const forms = [
        JSON.stringify(rows),
        JSON.stringify({ items: rows, next_page_token: "", is_last_page: true }),
        JSON.stringify({ items: rows, next_page_token: "" }, null, 2),
        JSON.stringify([{ items: rows.slice(0, 1) }, { items: rows.slice(1) }])
      ]
      for (const text of forms) {
        const found = yield* apps({ text, origin: { server: "hydra" } })
        assert.deepStrictEqual(found.map(({ client_id }) => client_id), wanted)
      }
    }))

  it.effect("keeps the lines of a document, of which only one array is read", () =>
    Effect.gen(function*() {
      const { origin, text } = exports.keycloak
      const lines = yield* read(text, origin)
      const at = text.slice(0, text.indexOf("\"clientId\": \"crm-web\"")).split("\n").length
      assert.include([at - 1, at - 2], lines[1]?.line)
    }))

  it.effect("asks what 64 hexadecimal digits are where the server's settings decide", () =>
    Effect.gen(function*() {
      const { text } = exports.doorkeeper
      assert.include(
        yield* faultsOf(text, { server: "doorkeeper" }),
        "64 hexadecimal digits may be a secret in the clear or its SHA-256: say which with --secrets"
      )
      const [clear] = yield* apps({ text, origin: { server: "doorkeeper", hex: "clear" } })
      assert.deepStrictEqual(clear?.secrets.map(({ algorithm }) => algorithm), ["clear"])
    }))

  it.effect("refuses a secret that the export hides, and asks for an owner that it does not name", () =>
    Effect.gen(function*() {
      const { text } = exports.keycloak
      const hidden = text.replaceAll(/"secret": "[^"]+"/g, "\"secret\": \"**********\"")
      const faults = yield* faultsOf(hidden, { server: "keycloak", owner: "ann@example.com" })
      assert.include(faults.join("\n"), "the export hides the secret")
      assert.include(
        yield* faultsOf(text, { server: "keycloak" }),
        "the export names no owner: say with --owner whose it is"
      )
    }))

  it.effect("gives an app to the operator's owner where the export names one by an id that means nothing here", () =>
    Effect.gen(function*() {
      const text = exports.passport.text.replaceAll(/,\s*"owner_email": "[^"]+"/g, "")
      const lines = yield* read(text, { server: "passport", owner: "ann@example.com" })
      const app = lines.find(({ source }) => source?.includes("Passport CRM"))
      assert.deepStrictEqual(app?.losses, ["its owner 3"])
      const [record] = yield* apps({ text, origin: { server: "passport", owner: "ann@example.com" } })
      assert.strictEqual(record?.app?.owner, "ann@example.com")
    }))

  it.effect("strips what Django writes before a digest, and finds users and apps by their keys", () =>
    Effect.gen(function*() {
      const argon2 = "argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo"
      const text = exports.django.text.replace(/pbkdf2_sha256\$[^"]+/, argon2)
      const [app] = yield* apps({ text, origin: { server: "django" } })
      assert.deepStrictEqual(app?.secrets, [{ value: argon2.slice("argon2".length), algorithm: "argon2" }])
      assert.strictEqual(app?.app?.owner, "olga.owner@example.com")
    }))

  it.effect("reads a realm whose users come first, and are many, as it comes", () =>
    Effect.gen(function*() {
      const realm = exports.keycloak.text.trimStart().slice(1)
      const chunk = `{"username": "u", "note": "${"x".repeat(1_000)}", "clients": []},\n`.repeat(100)
      const text = Stream.concat(
        Stream.concat(Stream.make("{\"users\": ["), Stream.fromIterable(Array.from({ length: 200 }, () => chunk))),
        Stream.make(`{}], ${realm}`)
      )
      const lines = yield* Stream.runCollect(readExport(text, exports.keycloak.origin))
      assert.strictEqual(lines.length, 5)
      assert.isAbove(lines[0]?.line ?? 0, 20_000)
    }))

  it.effect("gives up a line that no row could fill", () =>
    Effect.gen(function*() {
      const pieces = Array.from({ length: 300 }, (_, n) => n === 0 ? "[{\"model\":\"" : "x".repeat(65_536))
      const long = Stream.fromIterable(pieces)
      const lines = yield* Stream.runCollect(readExport(long, { server: "django" }))
      assert.deepStrictEqual(lines.map(({ source }) => source), [null])
    }))

  it.effect("has a section for each server in docs/import-from.md", () =>
    Effect.sync(() => {
      const page = readFileSync("docs/import-from.md", "utf8")
      for (const name of serverNames) assert.match(page, new RegExp(`^## .*\`--from ${name}\`$`, "m"))
    }))
})
