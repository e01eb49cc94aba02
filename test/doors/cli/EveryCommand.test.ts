// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Catalogues } from "../../../src/core/catalogue/Catalogues.ts"
import * as BuiltIn from "../../../src/domain/catalogue/BuiltIn.ts"
import { write } from "../../../src/domain/catalogue/file/WriteCatalogue.ts"
import * as DatabaseSchema from "../../../src/foundation/database/DatabaseSchema.ts"
import { OutboxRepo } from "../../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { newClient } from "../../core/clients/Scenario.ts"
import { slotkey } from "../../support/Cli.ts"
import { answerOf, commands } from "../../support/CommandTree.ts"
import { eventually } from "../../support/Eventually.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { approvedApp } from "../../support/TestServer.ts"
import { besideServer } from "./Scenario.ts"

const password = "correct horse battery staple"

/** Command that a line of words begins with. */
const commandOf = (line: string) => {
  const leaf = commands.find(({ path }) => `${line} `.startsWith(`${path} `))
  assert.isDefined(leaf, line)
  return leaf
}

/** Asserts that a line of output is a document of the command, with no field that the documentation does not have. */
const parse = (line: string, document: string): unknown =>
  Schema.decodeUnknownSync(Schema.toCodecJson(answerOf(commandOf(line)).schema), { onExcessProperty: "error" })(
    JSON.parse(document)
  )

const builtInFile = fileURLToPath(new URL("../../../src/domain/catalogue/scheduling.catalogue.json", import.meta.url))

/** Commands that ask no database. */
const withoutDatabase = ["catalogue check", "catalogue import-openapi", "catalogue show", "catalogue types"]

const otherCatalogue = { ...BuiltIn.builtInFile(), api: { ...BuiltIn.builtInFile().api, name: "Another API" } }

const importFile = (owner: string) =>
  Effect.map(TestDatabase.temporaryFolder, (folder) => {
    const file = join(folder, "apps.jsonl")
    const app = { client_id: "old", owner, name: "Old", redirect_uris: ["https://old.example/callback"] }
    const secrets = [{ secret: "a".repeat(32), algorithm: "clear" }]
    writeFileSync(file, JSON.stringify({ ...app, secrets }))
    return file
  })

describe("slotkey", () => {
  it.live(
    "prints the documented shape with --json, and only migrate changes the schema: every command of it",
    () =>
      besideServer(Effect.fnUntraced(function*({ env }) {
        const settings = { ...env, MASTER_KEY_PREVIOUS: env.MASTER_KEY, BASE_URL: "http://127.0.0.1:1" }
        const lines = new Map<string, string>()
        const call = Effect.fnUntraced(function*(
          line: string,
          { code = 0, input = "" }: { readonly code?: number; readonly input?: string } = {}
        ) {
          const ran = yield* slotkey([...line.split(" "), "--json"], { input, env: settings })
          assert.strictEqual(ran.code, code, `${line}: ${ran.stderr}`)
          lines.set(commandOf(line).path, line)
          const [document = "", ...more] = ran.stdout.trimEnd().split("\n")
          if (!answerOf(commandOf(line)).isStream) assert.isEmpty(more, line)
          parse(line, document)
          return document
        })

        yield* call("setup-link")
        yield* call("accounts create --email root@example.test --name Root --role admin", { input: password })
        yield* call("accounts create --email ann@example.test --name Ann", { input: password })
        yield* call("accounts list")
        yield* call("accounts role --email ann@example.test --role user")
        yield* call("accounts set-password --email ann@example.test", { input: `${password} 2` })
        yield* call("accounts restore-address --email ann@example.test --address ann@example.test --yes")
        const key = JSON.parse(yield* call("api-keys create --email ann@example.test --name script"))
        yield* call("api-keys list --email ann@example.test")
        yield* call(`api-keys revoke --email ann@example.test ${key.id} --yes`)
        yield* call("accounts sign-out --all --yes")
        yield* call("accounts disable --email ann@example.test --yes")
        yield* call("accounts enable --email ann@example.test")
        yield* call("accounts delete --email ann@example.test --yes")

        const app = yield* approvedApp()
        yield* app.tokens()
        const [first, second] = [yield* newClient(app.owner), yield* newClient(app.owner)]
        yield* call("clients list")
        yield* call(`clients show ${app.client.id}`)
        yield* call(`clients approve ${first.client.id} --seen-version 1`)
        yield* call(`clients reject ${second.client.id} --seen-version 1 --reason Wrong`)
        yield* call(`clients undo-rejection ${second.client.id} --seen-version 2 --reason Sorry`)
        yield* call(`clients suspend ${app.client.id} --reason Leaked --yes`)
        yield* call(`clients resume ${app.client.id}`)
        yield* call(`clients give ${app.client.id} --to ${app.user} --yes`)
        yield* call(`clients rotate-secret ${app.client.id}`)
        yield* app.refresh("slk_refresh_nonsense")
        yield* call("refusals find nothing")
        yield* call(`refusals list --client ${app.client.id}`)
        yield* call("grants find")
        yield* call("grants usage")
        yield* call(`grants end --client ${app.client.id} --yes`)
        yield* call(`clients delete ${app.client.id} --yes`)
        yield* call(`import-legacy ${yield* importFile(app.owner)} --apply`)

        yield* call("catalogue check")
        yield* call(
          "catalogue import-openapi examples/crm/openapi.yaml --check examples/crm/slotkey.catalogue.json"
        )
        yield* call("catalogue show")
        const catalogues = yield* Catalogues
        const { inForce } = yield* catalogues.current
        yield* catalogues.announce({ file: otherCatalogue, isBuiltIn: false }, inForce?.id ?? "", { actor: "cli" })
        yield* call("catalogue withdraw")
        const catalogueFile = join(yield* TestDatabase.temporaryFolder, "catalogue.json")
        writeFileSync(catalogueFile, write(otherCatalogue))
        yield* call(`catalogue plan ${catalogueFile}`)
        yield* call(`catalogue apply ${catalogueFile}`)
        yield* call("catalogue finish")
        yield* call(`catalogue types ${builtInFile}`)

        yield* call("audit list")
        yield* call("audit export")
        const followed: Array<string> = []
        const following = yield* Effect.forkChild(
          slotkey(["audit", "follow", "--json"], { env: settings, onLine: (line) => followed.push(line) })
        )
        // What is written before the command has begun is not followed, so entries come until one is seen.
        yield* eventually(Effect.map(call("keys replace --yes"), () => followed.length > 0))
        yield* Fiber.interrupt(following)
        parse("audit follow", followed[0] ?? "")
        lines.set("audit follow", "audit follow")

        const outbox = yield* OutboxRepo
        const [job] = yield* outbox.next(1)
        yield* outbox.deadLetter(job?.id ?? 0n, "broken")
        yield* call("jobs dead")
        yield* call(`jobs replay ${job?.id}`)
        yield* outbox.deadLetter(job?.id ?? 0n, "broken")
        yield* call("jobs discard --all --yes")
        yield* call("keys list")
        yield* call("keys rotate")
        yield* call("keys rotate-master")
        yield* call("doctor", { code: 1 })
        yield* call("migrate up")
        yield* call("migrate status")
        const mcp = "https://mcp.example.com/mcp"
        const scopes = "--scope BOOKING_READ --scope BOOKING_WRITE --base BOOKING_READ"
        yield* call(`resources create --identifier ${mcp} --name Bookings ${scopes}`)
        yield* call("resources list")
        yield* call(`resources edit ${mcp} --name Agents`)
        const server = JSON.parse(yield* call(`resource-servers create --name Bookings --resource ${mcp}`))
        yield* call("resource-servers list")
        yield* call(`resource-servers revoke ${server.id} --yes`)
        yield* call(`resources remove ${mcp} --yes`)
        const initial = JSON.parse(yield* call("initial-tokens create --name Workshop"))
        yield* call("initial-tokens list")
        yield* call(`initial-tokens revoke ${initial.id} --yes`)
        assert.deepStrictEqual([...lines.keys()].sort(), commands.map(({ path }) => path).sort())

        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM slotkey_migrations`
        for (const [path, line] of lines) {
          if (path === "migrate up" || withoutDatabase.includes(path)) continue
          const { code, stderr, stdout } = yield* slotkey([...line.split(" "), "--json"], { env: settings })
          assert.strictEqual(code, 1, line)
          assert.match(path === "doctor" ? stdout : JSON.parse(stderr).error.message, /slotkey migrate up/, line)
        }
        const { newest, version } = yield* DatabaseSchema.status
        assert.isBelow(version, newest)
      }, Effect.provide([OutboxRepo.layer, Catalogues.layer]))),
    180_000
  )
})
