// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import { Passwords } from "../../../src/core/accounts/local/Passwords.ts"
import { ApiKeys } from "../../../src/core/accounts/people/ApiKeys.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { LimitServices } from "../../../src/core/limits/LimitServices.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { Outbox } from "../../../src/foundation/jobs/outbox/Outbox.ts"
import { slotkey } from "../../support/Cli.ts"
import * as EmbeddedPool from "../../support/EmbeddedPool.ts"

it.live(
  "slotkey revokes every API key that it is told and can, and says which were not there",
  () =>
    Effect.gen(function*() {
      const folder = yield* EmbeddedPool.folder
      const env = { DATA_DIR: folder }
      const services = Layer.mergeAll(Accounts.layer, ApiKeys.layer).pipe(
        Layer.provide([Passwords.layer, AuditLog.layer, LimitServices, Outbox.layer]),
        Layer.provide([EmbeddedPool.at(folder), AppConfig.layerTest()])
      )
      yield* Effect.gen(function*() {
        const ann = ["--email", "ann@example.test"]
        yield* slotkey(["accounts", "create", ...ann, "--name", "Ann"], { env, input: "correct horse battery staple" })
        const create = Effect.map(
          slotkey(["api-keys", "create", ...ann, "--name", "ci", "--json"], { env }),
          ({ stdout }): string => JSON.parse(stdout).id
        )
        const [first, second, third] = [yield* create, yield* create, yield* create]

        const revoked = yield* slotkey(["api-keys", "revoke", ...ann, first, "misspelt", first, second, "--yes"], {
          env
        })
        assert.deepStrictEqual(revoked, {
          code: 3,
          stdout: `Revoked ${first}.\nRevoked ${second}.\n`,
          stderr: "The account has no API key misspelt.\n"
        })
        const again = yield* slotkey(["api-keys", "revoke", ...ann, second, "--yes", "--json"], { env })
        assert.deepStrictEqual(JSON.parse(again.stdout), { revoked: [], missing: [second] })
        assert.strictEqual(again.code, 3)
        const all = yield* slotkey(["api-keys", "revoke", ...ann, "--all", "--yes", "--json"], { env })
        assert.deepStrictEqual(JSON.parse(all.stdout), { revoked: [third], missing: [] })
      }).pipe(Effect.provide(services))
    }),
  120_000
)
