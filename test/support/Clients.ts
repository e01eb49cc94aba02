import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../src/core/audit/AuditLog.ts"
import { ClientRegistry } from "../../src/core/clients/ClientRegistry.ts"
import { ClientServices } from "../../src/core/clients/ClientServices.ts"
import type { RegistrationInput } from "../../src/core/clients/Registration.ts"
import { SecretCheck } from "../../src/core/clients/SecretCheck.ts"
import { MigrationAudits } from "../../src/core/legacy/migration/MigrationAudits.ts"
import * as Credential from "../../src/domain/Credential.ts"
import { type ClientId, UserId } from "../../src/domain/Ids.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import { Outbox } from "../../src/foundation/jobs/outbox/Outbox.ts"
import * as TestDatabase from "./TestDatabase.ts"

/** The registry with all it needs on a database of its own. */
export const layer = ClientServices.pipe(
  Layer.provide(MigrationAudits.layerUsage),
  Layer.provideMerge(Layer.mergeAll(AuditLog.layer, MigrationAudits.layer, Outbox.layer)),
  Layer.provideMerge(AppConfig.layerTest()),
  Layer.provideMerge(TestDatabase.layer)
)

/** A new account, written past the accounts room. */
export const newAccount = Effect.fnUntraced(function*(name: string, role: "user" | "admin" = "user") {
  const sql = yield* SqlClient.SqlClient
  const createdAt = DateTime.toDateUtc(yield* DateTime.now)
  const id = UserId.make(`${name}_${crypto.randomUUID()}`)
  yield* sql`INSERT INTO accounts ${
    sql.insert({ id, email: `${id}@example.com`, username: id, name, role, createdAt })
  }`
  return id
}, Effect.orDie)

export const registration: RegistrationInput = {
  kind: "confidential",
  name: "Calendar Sync",
  purpose: "Keeps two calendars in step.",
  website: "https://app.example",
  logoUrl: null,
  redirectUris: ["https://app.example/callback"],
  scopes: ["BOOKING_READ", "PROFILE_READ"]
}

export const newClient = Effect.fnUntraced(function*(owner: UserId, input: Partial<RegistrationInput> = {}) {
  const registry = yield* ClientRegistry
  return yield* registry.register(owner, { ...registration, ...input })
}, Effect.orDie)

/** A client that can be used. */
export const approvedClient = Effect.fnUntraced(function*(
  owner: UserId,
  admin: UserId,
  input: Partial<RegistrationInput> = {}
) {
  const registry = yield* ClientRegistry
  const { client } = yield* newClient(owner, input)
  return yield* Effect.orDie(registry.approve(admin, client.id, client.version))
})

/** Whether the secret is one of the client's. */
export const showsSecret = Effect.fnUntraced(function*(id: ClientId, secret: Redacted.Redacted) {
  const [found] = yield* (yield* SecretCheck).lookUp([{
    id,
    secretDigest: Credential.digest(Redacted.value(secret))
  }])
  return found?.authenticated
}, Effect.orDie)
