import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import { OwnerChange } from "../../../foundation/jobs/kinds/OwnerChange.ts"
import { Outbox } from "../../../foundation/jobs/outbox/Outbox.ts"
import { type Actor, clientCommands, type Reviewer } from "../life/ClientCommands.ts"
import { inherit, orphan } from "../life/Transfer.ts"
import { appAccess } from "../records/AppAccess.ts"
import type { ManagedClient } from "../records/Client.ts"

/** What becomes of the apps of a first owner who leaves the platform, for `ClientReview`. */
export const inheritance = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const commands = yield* clientCommands
  const outbox = yield* Outbox
  const { peopleWho } = yield* appAccess

  /** Apps of this owner, each with the longest-standing co-owner who may do everything and is still here. */
  const estate = (owner: UserId) =>
    allApps(sql`SELECT c.id, (SELECT o.account_id FROM client_owners o LEFT JOIN accounts a ON a.id = o.account_id
        WHERE o.client_id = c.id AND o.role = 'owner' AND o.account_id <> c.owner_id AND a.disabled_at IS NULL
        ORDER BY o.since, o.account_id LIMIT 1) AS heir
      FROM clients c WHERE c.owner_id = ${owner} AND c.test_of IS NULL ORDER BY c.id`)

  const passOn = Effect.fn("Inheritance.passOn")(function*(by: Reviewer, owner: UserId) {
    const actor: Actor = { id: by, as: "reviewer" }
    const passed: Array<ManagedClient> = []
    for (const { heir, id } of yield* estate(owner)) {
      if (heir === null) {
        yield* commands.run(actor, id, orphan)
        continue
      }
      const client = yield* commands.run(actor, id, (it, now) => inherit(it, heir, now))
      const people = (yield* peopleWho("use", client)).filter((userId) => userId !== owner)
      yield* outbox.publishAll(
        people.map((userId) =>
          OwnerChange.make({ userId, clientId: id, isOwner: userId === heir, event: "inherited", person: heir })
        )
      )
      passed.push(client)
    }
    return passed
  }, Effect.orDie)

  const heirs = Effect.fn("Inheritance.heirs")(
    (owner: UserId) =>
      Effect.map(
        estate(owner),
        (apps) =>
          new Map(apps.flatMap(({ heir, id }): ReadonlyArray<[string, UserId]> => heir === null ? [] : [[id, heir]]))
      ),
    Effect.orDie
  )

  return { passOn, heirs }
})

const allApps = Rows.all(Schema.Struct({ id: ClientId, heir: Schema.NullOr(UserId) }))
