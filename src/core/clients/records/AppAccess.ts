import { Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Forbidden, type NotFound } from "../../../domain/ApiError.ts"
import { ClientId, UserId } from "../../../domain/Ids.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import type { Client } from "./Client.ts"
import { clientNotFound } from "./ClientProblems.ts"
import { CoOwnerRole } from "./CoOwnerRole.ts"

/** Part that a person has in an app: the `first` owner is the one whom reviewers know, and who counts for limits. */
export const AppRole = Schema.Literals(["first", ...CoOwnerRole.literals])
export type AppRole = typeof AppRole.Type

/**
 * What people do with an app: `use` is all that reads and edits it, `secrets` all that makes, ends or shows a
 * credential of it, `owners` who else may do what, and `transfer` whose app it is.
 */
export const AppAct = Schema.Literals(["use", "secrets", "delete", "owners", "transfer"])
export type AppAct = typeof AppAct.Type

const acts: Readonly<Record<AppRole, ReadonlyArray<AppAct>>> = {
  first: ["use", "secrets", "delete", "owners", "transfer"],
  owner: ["use", "secrets", "delete", "owners"],
  developer: ["use"]
}

/** Who may do what with an app: every page and every endpoint of developers asks here. */
export const mayDo = (role: AppRole | undefined, act: AppAct): boolean => role !== undefined && acts[role].includes(act)

/**
 * Answers the one question of all rooms of developers: may this person do that with this app? An app does not exist
 * for people who have no part in it; those whose part is too small are told so. A test app has the owners of its app.
 */
export const appAccess = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient

  /** Role of a person, if they have a part in the app. Its first owner costs no statement. */
  const roleOf = Effect.fn("AppAccess.roleOf")(
    function*(userId: string, { id, ownerId, testOf }: Pick<Client, "id" | "ownerId" | "testOf">) {
      if (userId === ownerId) return "first" satisfies AppRole
      const [row] = yield* allRoles(
        sql`SELECT client_id, role FROM client_owners WHERE client_id = ${testOf ?? id} AND account_id = ${userId}`
      )
      return row?.role satisfies AppRole | undefined
    },
    Effect.orDie
  )

  /** App that a person may do this with. */
  const allow = Effect.fnUntraced(function*<C extends Client>(userId: string, found: Option.Option<C>, act: AppAct) {
    if (Option.isNone(found)) return yield* clientNotFound
    const role = yield* roleOf(userId, found.value)
    if (role === undefined) return yield* clientNotFound
    return mayDo(role, act) ? found.value : yield* refusals[act]
  })

  /** Same for what everybody who has a part in the app may do. */
  const see = <C extends Client>(userId: string, found: Option.Option<C>): Effect.Effect<C, NotFound> =>
    Effect.catchTag(allow(userId, found, "use"), "Forbidden", Effect.die)

  /** Roles of a person in these apps; those that are not theirs at all have none. */
  const rolesIn = Effect.fn("AppAccess.rolesIn")(
    function*(userId: string, clients: ReadonlyArray<Pick<Client, "id" | "ownerId">>) {
      const shared = clients.filter(({ ownerId }) => ownerId !== userId).map(({ id }) => id)
      const rows = shared.length === 0 ? [] : yield* allRoles(
        sql`SELECT client_id, role FROM client_owners WHERE account_id = ${userId} AND client_id = ANY(${shared}::text[])`
      )
      const first = clients.filter(({ ownerId }) => ownerId === userId)
      return new Map<ClientId, AppRole>([
        ...first.map(({ id }): [ClientId, AppRole] => [id, "first"]),
        ...rows.map(({ clientId, role }): [ClientId, AppRole] => [clientId, role])
      ])
    },
    Effect.orDie
  )

  /** Everybody who may do this with the app, its first owner first: whom mails about it go to. */
  const peopleWho = Effect.fn("AppAccess.peopleWho")(
    function*(act: AppAct, { id, ownerId, testOf }: Pick<Client, "id" | "ownerId" | "testOf">) {
      const rows = yield* allPeople(sql`SELECT account_id, role FROM client_owners
        WHERE client_id = ${testOf ?? id} AND account_id <> ${ownerId} ORDER BY since, account_id`)
      return [ownerId, ...rows.filter(({ role }) => mayDo(role, act)).map(({ accountId }) => accountId)]
    },
    Effect.orDie
  )

  return { roleOf, allow, see, rolesIn, peopleWho }
})

/** Ids of the apps in which a user has a part, as a subquery. */
export const appsOf = (sql: SqlClient.SqlClient, userId: UserId): Statement.Fragment =>
  sql`(SELECT id FROM clients WHERE owner_id = ${userId}
    UNION ALL SELECT client_id FROM client_owners WHERE account_id = ${userId})`

const allRoles = Rows.all(Schema.Struct({ clientId: ClientId, role: CoOwnerRole }))
const allPeople = Rows.all(Schema.Struct({ accountId: UserId, role: CoOwnerRole }))

const refusal = (message: string) => new Forbidden({ code: "role_insufficient", message })

const refusals: Readonly<Record<AppAct, Forbidden>> = {
  use: refusal("Your role in this app does not let you use it."),
  secrets: refusal("You are a developer of this app: its secrets are for its owners."),
  delete: refusal("You are a developer of this app: only its owners may delete it."),
  owners: refusal("You are a developer of this app: only its owners say who else has a part in it."),
  transfer: refusal("Only the first owner of this app may give it to somebody else.")
}
