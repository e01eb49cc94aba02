import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../../../../src/core/accounts/people/ApiKeys.ts"
import { ClientRegistry } from "../../../../src/core/clients/life/ClientRegistry.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import { SecretVault } from "../../../../src/core/clients/secrets/SecretVault.ts"
import type { UserId } from "../../../../src/domain/Ids.ts"
import { registration } from "../Fixture.ts"
import { approvedClient, newAccount, newClient, servicesWith } from "../Scenario.ts"

const Services = ApiKeys.layer.pipe(Layer.provideMerge(servicesWith({ ACCOUNT_BUDGET: "100" })))

/** What a loop can fill: the trail, the notices that become mails, and the tables. */
const rows = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Readonly<Record<string, number>>>`SELECT
    (SELECT count(*)::int FROM audit_log) AS audit, (SELECT count(*)::int FROM outbox) AS notices,
    (SELECT count(*)::int FROM clients) AS clients, (SELECT count(*)::int FROM client_secrets) AS secrets,
    (SELECT count(*)::int FROM api_keys) AS keys`
  return row ?? {}
})

type Registry = ApiKeys | ClientRegistry | ClientReview | SecretVault | SqlClient.SqlClient

interface Loop {
  readonly name: string
  /** Makes what the rounds need; answers one round. */
  readonly prepare: (
    owner: UserId,
    admin: UserId
  ) => Effect.Effect<Effect.Effect<unknown, unknown, Registry>, never, Registry>
  readonly costPerRound: number
}

const loops: ReadonlyArray<Loop> = [
  {
    name: "registers an app and deletes it",
    prepare: (owner) =>
      Effect.map(ClientRegistry, (registry) =>
        Effect.flatMap(
          registry.register(owner, registration),
          ({ client }) => registry.remove(owner, client.id)
        )),
    costPerRound: 1
  },
  {
    name: "registers a public app and deletes it",
    prepare: (owner) =>
      Effect.map(ClientRegistry, (registry) =>
        Effect.flatMap(
          registry.register(owner, { ...registration, kind: "public" }),
          ({ client }) => registry.remove(owner, client.id)
        )),
    costPerRound: 1
  },
  {
    name: "submits a change and withdraws it",
    prepare: Effect.fnUntraced(function*(owner, admin) {
      const registry = yield* ClientRegistry
      const { id } = yield* approvedClient(owner, admin)
      return Effect.andThen(registry.edit(owner, id, { name: "Another name" }), registry.withdrawChange(owner, id))
    }),
    costPerRound: 2
  },
  {
    name: "makes a secret and revokes the other",
    prepare: Effect.fnUntraced(function*(owner) {
      const vault = yield* SecretVault
      const { client: { id } } = yield* newClient(owner)
      return Effect.gen(function*() {
        yield* vault.generate(id)
        const [oldest] = yield* vault.list(id)
        yield* vault.revoke(id, oldest?.id ?? "")
      })
    }),
    costPerRound: 1
  },
  {
    name: "makes an API key and revokes it",
    prepare: (owner) =>
      Effect.map(
        ApiKeys,
        (keys) => Effect.flatMap(keys.create(owner, "CI", owner), ({ info }) => keys.revoke(owner, info.id, owner))
      ),
    costPerRound: 1
  }
]

layer(Services)("A developer who", (it) => {
  it.effect.each(loops)(
    "$name does so as often as the budget allows, and then changes nothing",
    ({ costPerRound, prepare }) =>
      Effect.gen(function*() {
        const owner = yield* newAccount("dev")
        const round = yield* prepare(owner, yield* newAccount("admin", "admin"))
        const once = Effect.exit(round)
        const exits = yield* Effect.replicateEffect(once, 105)
        const done = exits.filter(Exit.isSuccess).length
        // What a loop needs to begin with costs one, too.
        assert.isAtLeast(done, 100 / costPerRound - 1)
        assert.isAtMost(done, 100 / costPerRound)
        const before = yield* rows
        yield* once
        assert.deepStrictEqual(yield* rows, before)
      })
  )
})
