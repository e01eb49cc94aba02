import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "../../../src/core/accounts/people/Account.ts"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { ClientServices } from "../../../src/core/clients/ClientServices.ts"
import { ClientRegistry } from "../../../src/core/clients/life/ClientRegistry.ts"
import type { RegistrationInput } from "../../../src/core/clients/life/Registration.ts"
import { OwnerServices } from "../../../src/core/clients/owners/OwnerServices.ts"
import { ClientReview } from "../../../src/core/clients/review/ClientReview.ts"
import { SecretCheck } from "../../../src/core/clients/secrets/SecretCheck.ts"
import { TestAppServices } from "../../../src/core/clients/testapps/TestAppServices.ts"
import { StoredGrants } from "../../../src/core/grants/GrantServices.ts"
import { MigrationAudits } from "../../../src/core/legacy/migration/MigrationAudits.ts"
import { LimitServices } from "../../../src/core/limits/LimitServices.ts"
import * as Credential from "../../../src/domain/Credential.ts"
import { type ClientId, UserId } from "../../../src/domain/Ids.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { Outbox } from "../../../src/foundation/jobs/outbox/Outbox.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { nameOf, registration } from "./Fixture.ts"

/**
 * Services of the room on a database of their own; `env` holds settings by their names in docs/operations/settings.md.
 */
export const servicesWith = (env: Readonly<Record<string, string>> = {}) =>
  Layer.mergeAll(ClientReview.layer, OwnerServices, TestAppServices).pipe(
    Layer.provideMerge(StoredGrants),
    Layer.provideMerge(ClientServices),
    Layer.provide(MigrationAudits.layerUsage),
    Layer.provideMerge(Layer.mergeAll(AuditLog.layer, LimitServices, MigrationAudits.layer, Outbox.layer)),
    Layer.provideMerge(AppConfig.layerTest(env)),
    Layer.provideMerge(TestDatabase.layer)
  )

export const Services = servicesWith()

/** A new account, inserted directly: the services of the accounts room are not needed for it. */
export const newAccount = Effect.fnUntraced(function*(name: string, role: Role = "user") {
  const sql = yield* SqlClient.SqlClient
  const createdAt = DateTime.toDateUtc(yield* DateTime.now)
  const id = UserId.make(`${name}_${crypto.randomUUID()}`)
  yield* sql`INSERT INTO accounts ${
    sql.insert({ id, email: `${id}@example.com`, username: id, name, role, createdAt })
  }`
  return id
}, Effect.orDie)

/** A registered app. Without a name it gets one that no other has: twins are not approved without a word. */
export const newClient = Effect.fnUntraced(function*(owner: UserId, input: Partial<RegistrationInput> = {}) {
  const registry = yield* ClientRegistry
  return yield* registry.register(owner, { ...registration, name: nameOf(registration.name, clients++), ...input })
}, Effect.orDie)

let clients = 0

/** An owner, another developer, and two administrators. */
export const people = Effect.all({
  owner: newAccount("dev"),
  other: newAccount("other"),
  admin: newAccount("admin", "admin"),
  second: newAccount("admin", "admin")
})

/** A new client, approved. */
export const approvedClient = Effect.fnUntraced(function*(
  owner: UserId,
  admin: UserId,
  input: Partial<RegistrationInput> = {}
) {
  const review = yield* ClientReview
  const { client } = yield* newClient(owner, input)
  return yield* Effect.orDie(review.approve(admin, client.id, client.version))
})

/** Returns true if the client can authenticate with the secret. */
export const authenticates = Effect.fnUntraced(function*(id: ClientId, secret: Redacted.Redacted) {
  const [found] = yield* (yield* SecretCheck).lookUp([{
    id,
    secretDigest: Credential.digest(Redacted.value(secret))
  }])
  return found?.authenticated
}, Effect.orDie)
