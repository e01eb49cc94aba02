import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Conflict } from "../../../domain/ApiError.ts"
import { skeletonRules, skeletonsOf } from "../../../domain/names/Skeleton.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import type { Client } from "../records/Client.ts"
import { nobody } from "../records/Nobody.ts"
import { isUnasked } from "../records/Unasked.ts"
import { mostShown, type RelatedApp, type RelatedApps, relatedApps } from "./RelatedApp.ts"

/** App that bears a name, or wants it. */
type Bearer = Pick<Client, "id" | "ownerId" | "name">

/**
 * Finds the twins of a name: apps of other owners, or of none, whose users cannot tell them from it (`Skeleton`). Users
 * know an app by its name alone, so none gets the name of one that a reviewer approved without a reviewer's word for
 * it.
 */
export const nameTwins = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  /**
   * Brings the skeletons up to the names; test apps take none, nor do apps that nobody has asked for. Rows are made
   * here alone and not where names are written: registration and import know nothing of them.
   */
  const catchUp: Effect.Effect<void> = Effect.gen(function*() {
    const named = yield* sql<Named>`SELECT clients.id, clients.name, wanted.name AS wanted_name FROM clients
      LEFT JOIN client_changes AS wanted ON wanted.client_id = clients.id AND wanted.rejection_reason IS NULL
        AND wanted.name <> clients.name
      LEFT JOIN name_skeletons AS known ON known.client_id = clients.id
      WHERE clients.test_of IS NULL AND NOT ${isUnasked(sql)} AND (known.client_id IS NULL OR known.name <> clients.name
        OR known.rules < ${skeletonRules} OR known.wanted_name IS DISTINCT FROM wanted.name)
      ORDER BY clients.id LIMIT ${pieceSize}`
    if (named.length === 0) return
    // A client that was deleted meanwhile is left out.
    yield* sql`INSERT INTO name_skeletons (client_id, name, skeletons, wanted_name, wanted_skeletons, rules)
      SELECT made.id, made.name, made.skeletons, made.wanted_name, made.wanted_skeletons, ${skeletonRules}::int
      FROM jsonb_to_recordset(${JSON.stringify(named.map(made))}::jsonb)
        AS made(id text, name text, skeletons text[], wanted_name text, wanted_skeletons text[])
      JOIN clients ON clients.id = made.id
      ORDER BY made.id FOR KEY SHARE OF clients
      ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, skeletons = excluded.skeletons,
        wanted_name = excluded.wanted_name, wanted_skeletons = excluded.wanted_skeletons, rules = excluded.rules`
    if (named.length === pieceSize) yield* catchUp
  }).pipe(Effect.orDie)

  const named = sql`clients.id, owner_id, clients.name, status, reviewed_at IS NOT NULL AS reviewed, created_at`

  /** Twins, those first whose name is taken. */
  const of = Effect.fn("NameTwins.of")(function*({ id, name, ownerId }: Bearer) {
    yield* catchUp
    const skeletons = skeletonsOf(name)
    return yield* relatedApps(
      sql`SELECT id, owner_id, name, status, reviewed, wanted, count(*) OVER ()::int AS total FROM (
        SELECT ${named}, false AS wanted FROM name_skeletons JOIN clients ON clients.id = client_id
        WHERE skeletons && ${skeletons}::text[]
        UNION ALL
        SELECT ${named}, true FROM name_skeletons JOIN clients ON clients.id = client_id
        WHERE wanted_skeletons && ${skeletons}::text[]
      ) AS twins
      WHERE id <> ${id} AND (owner_id <> ${ownerId} OR owner_id = ${nobody})
      ORDER BY wanted OR status <> 'approved' OR NOT reviewed, created_at, id LIMIT ${mostShown}`
    )
  }, Effect.orDie)

  /**
   * Takes the name for an app that is approved; answers the approved twins. Fails unless all that a reviewer gets to
   * see of them were accepted. Others that claim such a name wait until the caller's transaction ends.
   */
  const claim = Effect.fn("NameTwins.claim")(function*(bearer: Bearer, accepted: ReadonlyArray<string>) {
    for (const skeleton of skeletonsOf(bearer.name).toSorted()) {
      yield* Effect.orDie(TransactionLock.take(sql, `name ${skeleton}`))
    }
    const approved = approvedOf(yield* of(bearer))
    const unseen = approved.filter(({ id }) => !accepted.includes(id))
    return unseen.length === 0 ? approved : yield* resembles(unseen)
  })

  return { of, claim }
})

/**
 * Apps whose name is taken, for which an approval needs the reviewer's word. Nothing is taken by a name that nobody
 * reviewed, as imported apps and demo apps have.
 */
export const approvedOf = ({ apps }: RelatedApps): ReadonlyArray<RelatedApp> =>
  apps.filter(({ reviewed, status, wanted }) => status === "approved" && reviewed && !wanted)

interface Named {
  readonly id: string
  readonly name: string
  readonly wantedName: string | null
}

const made = ({ id, name, wantedName }: Named) => ({
  id,
  name,
  skeletons: skeletonsOf(name),
  wanted_name: wantedName,
  wanted_skeletons: wantedName === null ? [] : skeletonsOf(wantedName)
})

const pieceSize = 2000

const resembles = (twins: ReadonlyArray<RelatedApp>) =>
  new Conflict({
    code: "name_resembles",
    message: `Users cannot tell its name from that of ${twins.length === 1 ? "an approved app" : "approved apps"}: ${
      twins.map(({ id, name }) => `${name} (${id})`).join(", ")
    }. Confirm that to go on.`,
    // For programs; pages have a box for it.
    details: twins.map(({ id }) => ({ path: "acceptTwins", message: `must name ${id} to go on` }))
  })
