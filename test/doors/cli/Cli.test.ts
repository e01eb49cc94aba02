// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { LocalIdentitySource } from "../../../src/core/accounts/local/LocalIdentitySource.ts"
import { Passwords } from "../../../src/core/accounts/local/Passwords.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { IdentitySource } from "../../../src/core/accounts/people/IdentitySource.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { LimitServices } from "../../../src/core/limits/LimitServices.ts"
import { operatorCommands } from "../../../src/doors/cli/OperatorCommands.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { Outbox } from "../../../src/foundation/jobs/outbox/Outbox.ts"
import { authenticate } from "../../core/accounts/Scenario.ts"
import { migratedFolder, slotkey, slotkeyProcess } from "../../support/Cli.ts"
import * as EmbeddedPool from "../../support/EmbeddedPool.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const password = "correct horse battery staple"
const masterKey = Buffer.alloc(32, 7).toString("base64url")

describe("slotkey", () => {
  it.live("works on a data folder without a running server", () =>
    Effect.gen(function*() {
      const env = { DATA_DIR: yield* migratedFolder }
      const link = yield* slotkeyProcess(["setup-link"], { env })
      assert.match(link.stdout, /^http:\/\/localhost:3000\/setup\?token=slk_setup_[A-Za-z0-9]{49}\n$/)

      const admin = [
        "accounts",
        "create",
        "--email",
        "root@example.test",
        "--name",
        "Root",
        "--role",
        "admin",
        "--password-stdin"
      ]
      const created = yield* slotkeyProcess(admin, { env, input: `${password}\n` })
      assert.deepStrictEqual(created, { code: 0, stdout: "Created root@example.test, an administrator.\n", stderr: "" })

      const again = yield* slotkeyProcess(["setup-link"], { env })
      assert.deepStrictEqual(again, { code: 1, stdout: "", stderr: "There is an administrator already.\n" })
      const listed = yield* slotkeyProcess(["accounts", "list"], { env })
      assert.match(listed.stdout, /^root@example\.test\tadmin\tenabled\t\d{4}-\d\d-\d\d\tRoot\t\S+\tlocal\n$/)
    }), 120_000)

  it.live("works beside a server on the embedded database", () =>
    Effect.gen(function*() {
      const folder = yield* EmbeddedPool.folder
      const env = { DATA_DIR: folder }
      const services = Layer.mergeAll(Accounts.layer, ApiKeys.layer, LocalIdentitySource).pipe(
        Layer.provide([Passwords.layer, AuditLog.layer, LimitServices, Outbox.layer]),
        Layer.provide([EmbeddedPool.at(folder), AppConfig.layerTest()])
      )
      yield* Effect.gen(function*() {
        const create = ["accounts", "create", "--email", "ann@example.test", "--name", "Ann"]
        assert.strictEqual((yield* slotkey(create, { env, input: password })).code, 0)
        const ann = yield* authenticate(yield* IdentitySource)("ann@example.test", Redacted.make(password))
        assert.isFalse(Option.getOrThrow(ann).isAdmin)

        const promoted = yield* slotkey(["accounts", "role", "--email", "Ann@example.test", "--role", "admin"], { env })
        assert.strictEqual(promoted.stdout, "Now: ann@example.test, an administrator.\n")
        const demoted = yield* slotkey(["accounts", "role", "--email", "ann@example.test", "--role", "user"], { env })
        assert.deepStrictEqual([demoted.code, demoted.stdout], [1, ""])
        assert.match(demoted.stderr, /^This is the last administrator\.[^\n]*\n$/)

        const bob = ["accounts", "create", "--email", "bob@example.test", "--name", "Bob"]
        yield* slotkey(bob, { env, input: password })
        const identities = yield* IdentitySource
        const signIn = (password: string) => authenticate(identities)("bob@example.test", Redacted.make(password))
        const reset = ["accounts", "set-password", "--email", "bob@example.test"]
        const other = "another horse altogether"
        assert.strictEqual(
          (yield* slotkey(reset, { env, input: other })).stdout,
          "bob@example.test has a new password and is signed out everywhere.\n"
        )
        assert.isTrue(Option.isNone(yield* signIn(password)))
        assert.isTrue(Option.isSome(yield* signIn(other)))
        const disabled = yield* slotkey(["accounts", "disable", "--email", "bob@example.test", "--yes"], { env })
        assert.match(disabled.stdout, /^Disabled bob@example\.test\./)
        assert.isTrue(Option.isNone(yield* signIn(other)))
        assert.include((yield* slotkey(["accounts", "list"], { env })).stdout, "bob@example.test\tuser\tdisabled\t")
        const enabled = yield* slotkey(["accounts", "enable", "--email", "bob@example.test"], { env })
        assert.match(enabled.stdout, /^Enabled bob@example\.test\./)
        assert.isTrue(Option.isSome(yield* signIn(other)))

        const key = yield* slotkey(["api-keys", "create", "--email", "ann@example.test", "--name", "ci"], { env })
        const owner = yield* (yield* ApiKeys).verify(key.stdout.trim())
        assert.deepStrictEqual(owner, Option.map(ann, ({ id }) => id))
      }).pipe(Effect.provide(services))
    }), 120_000)

  it.live("works on the server of DATABASE_URL", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.temporaryServerUrl
      if (url === undefined) return
      const env = { DATABASE_URL: Redacted.value(url), MASTER_KEY: masterKey }
      assert.strictEqual((yield* slotkey(["migrate", "up"], { env })).code, 0)
      const create = ["accounts", "create", "--email", "bob@example.test", "--name", "Bob"]
      assert.strictEqual((yield* slotkey(create, { env, input: password })).code, 0)
      assert.include((yield* slotkey(["accounts", "list"], { env })).stdout, "bob@example.test\tuser\tenabled")
    }), 120_000)

  it.live("explains a lock that holds it up, and what to do about it", () =>
    Effect.gen(function*() {
      const url = yield* TestDatabase.temporaryServerUrl
      if (url === undefined) return
      const env = { DATABASE_URL: Redacted.value(url), MASTER_KEY: masterKey, REQUEST_TIMEOUT: "1500 millis" }
      const explanation =
        "The database does not answer in time. See pg_stat_activity for locks and long transactions; " +
        "if it shows none, check the network to the database. (the database server did not answer in time)"
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE`
          const ran = yield* slotkey(["jobs", "dead"], { env })
          assert.deepStrictEqual(ran, { code: 1, stdout: "", stderr: `${explanation}\n` })
          const json = yield* slotkey(["jobs", "dead", "--json"], { env })
          const error = { code: "temporarily_unavailable", message: explanation }
          assert.deepStrictEqual(JSON.parse(json.stderr), { error })
        }))
      }).pipe(Effect.provide(TestDatabase.at(Redacted.value(url))))
    }), 120_000)

  it.live("explains failures in plain words, without a stack trace", () =>
    Effect.gen(function*() {
      const env = { DATA_DIR: yield* migratedFolder }
      const create = ["accounts", "create", "--email", "cat@example.test", "--name", "Cat"]
      const failures = [
        {
          run: slotkey(create, { env, input: "short" }),
          code: 2,
          says: /^Some fields are not valid[^\n]+\n {2}password must have 12 to 256 characters\n$/
        },
        { run: slotkey(create, { env }), code: 2, says: /^The password is missing: [^\n]+\n$/ },
        {
          run: slotkey(["accounts", "create", "--email", "cat", "--name", " "], { env, input: password }),
          code: 2,
          says:
            /^Some fields are not valid[^\n]+\n {2}email must look like ann@example\.com\n {2}name must have 1 to 100 characters\n$/
        },
        {
          run: slotkey(["api-keys", "create", "--email", "nobody@example.test", "--name", "x"], { env }),
          code: 3,
          says: /^There is no account nobody@example\.test\.\n$/
        },
        {
          run: slotkey(["accounts", "list"], { env: { PORT: "x" } }),
          code: 1,
          says: /^The settings are not usable:\n {2}PORT /
        },
        {
          run: slotkey(["accounts", "list"], {
            env: { DATABASE_URL: "postgres://a:hunter2@127.0.0.1:1/x", MASTER_KEY: masterKey }
          }),
          code: 1,
          says: /^The database cannot be reached: (?!.*hunter2)[^\n]+\. Check that PostgreSQL runs[^\n]+\n$/
        }
      ]
      for (const { code, run, says } of failures) {
        const ran = yield* run
        assert.deepStrictEqual([ran.code, ran.stdout], [code, ""])
        assert.match(ran.stderr, says)
      }
    }), 120_000)

  it.live("explains a malformed command line in JSON with --json", () =>
    Effect.gen(function*() {
      const ran = yield* slotkey(["clients", "list", "--status", "lost", "--json"])
      assert.deepStrictEqual([ran.code, ran.stdout], [2, ""])
      const { code, message } = JSON.parse(ran.stderr).error
      assert.strictEqual(code, "malformed_command_line")
      assert.match(message, /--status: "lost"/)
      const help = yield* slotkey(["clients", "list", "--status", "lost"])
      assert.strictEqual(help.code, 2)
      assert.include(help.stdout, "USAGE")
    }))

  it.live("shows the help of a group, and makes no database for it", () =>
    Effect.gen(function*() {
      const folder = join(yield* TestDatabase.temporaryFolder, "data")
      for (const { name, subcommands } of operatorCommands) {
        if (subcommands.length === 0) continue
        const { code, stdout } = yield* slotkey([name], { env: { DATA_DIR: folder } })
        assert.strictEqual(code, 2, name)
        assert.include(stdout, `slotkey ${name} <subcommand>`)
      }
      assert.isFalse(existsSync(folder))
    }))

  it.live("takes no password as an argument, and needs no database to explain itself", () =>
    Effect.gen(function*() {
      const env = { DATA_DIR: "/proc/nowhere" }
      const help = yield* slotkey(["accounts", "create", "--help"], { env })
      assert.strictEqual(help.code, 0)
      assert.include(help.stdout, "--password-stdin")
      const argument = ["accounts", "create", "--email", "d@example.test", "--name", "D", "--password", password]
      assert.strictEqual((yield* slotkey(argument, { env })).code, 2)
    }), 120_000)
})
