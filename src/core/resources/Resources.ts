import { Clock, Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type BadRequest, Conflict, type NotFound } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { decode, type Fault, invalid } from "../../domain/Input.ts"
import * as ResourceIdentifier from "../../domain/ResourceIdentifier.ts"
import { broken } from "../../domain/Rule.ts"
import type { ScopeName } from "../../domain/scopes/Scope.ts"
import * as Uuid from "../../domain/Uuid.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import * as Column from "../../foundation/database/Column.ts"
import { DatabaseClock } from "../../foundation/database/DatabaseClock.ts"
import { inTransaction } from "../../foundation/database/InTransaction.ts"
import * as Rows from "../../foundation/database/Rows.ts"
import { StatementTimeout } from "../../foundation/database/StatementTimeout.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import { AppEvents } from "../clients/events/AppEvents.ts"
import { KnownScopes } from "../clients/records/EnteredScope.ts"
import { CodeStore } from "../grants/CodeStore.ts"
import { grantEnds } from "../grants/GrantEnds.ts"
import * as LiveCondition from "../grants/LiveCondition.ts"
import { apiBaseScopes } from "./ApiBaseScopes.ts"
import { NewResource, type NewResourceInput, Resource, ResourceEdit, type ResourceEditInput } from "./Resource.ts"
import { resourceChanged, resourceNotFound } from "./ResourceProblems.ts"
import { mostCounted, type ResourceUsage } from "./ResourceUsage.ts"

/**
 * Resources: what has access tokens of its own (RFC 8707). The API itself (`BASE_URL`) is always one, and has no row
 * here: it is meant where no resource is named, and nothing asks this service then. `Consent` finds here what an app
 * asks for; metadata, challenges and the check of gateways read what is known. Administrators manage resources.
 */
export class Resources extends Context.Service<Resources, {
  /** Resource with this identifier, in whatever form a client writes it. */
  find(identifier: string): Effect.Effect<Option.Option<Resource>>
  /** Same, and keeps it from being deleted until the caller's transaction has ended. */
  lock(identifier: string): Effect.Effect<Option.Option<Resource>>
  get(id: string): Effect.Effect<Resource, NotFound>
  /** All of them, by name. */
  readonly list: Effect.Effect<ReadonlyArray<Resource>>
  /**
   * Same as they were two seconds ago at most, without a statement for each request: while the database is away, as
   * they were last read.
   */
  readonly known: Effect.Effect<ReadonlyArray<Resource>>
  /** Scopes with which a client begins that knows nothing else; `null` is the API. */
  baseScopesOf(resource: Pick<Resource, "baseScopes"> | null): ReadonlyArray<ScopeName>
  /** What users have given for a resource: its deletion ends it. */
  usage(resource: Resource): Effect.Effect<ResourceUsage>
  create(actor: string, resource: NewResourceInput): Effect.Effect<Resource, BadRequest | Conflict>
  /** Changes a resource. What was granted before stays: scopes that it has no more cannot be asked for again. */
  edit(actor: string, id: string, edit: ResourceEditInput): Effect.Effect<Resource, BadRequest | Conflict | NotFound>
  /** Deletes a resource; its grants end with it, and so its tokens are refused at once. Answers how many ended. */
  remove(actor: string, id: string): Effect.Effect<{ readonly grants: number }, NotFound>
}>()("slotkey/core/resources/Resources") {
  static readonly layer: Layer.Layer<
    Resources,
    never,
    AppConfig | AppEvents | AuditLog | CodeStore | DatabaseClock | SqlClient.SqlClient
  > = Layer.effect(
    Resources,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* AuditLog
      const catalogue = yield* Catalogue
      const clock = yield* DatabaseClock
      const codes = yield* CodeStore
      const endGrants = yield* grantEnds
      const { apiBaseScopes: words, baseUrl, grantIdleLifetime, importTimeout } = yield* AppConfig
      const live = LiveCondition.make(sql, grantIdleLifetime)
      const ofApi = apiBaseScopes(catalogue, words)

      const find = Effect.fn("Resources.find")(function*(text: string) {
        const identifier = ResourceIdentifier.canonical(text)
        if (identifier === undefined) return Option.none()
        return yield* firstResource(sql`SELECT ${columns} FROM resources WHERE identifier = ${identifier}`)
      }, Effect.orDie)

      const lock = Effect.fn("Resources.lock")(
        (identifier: string) =>
          firstResource(sql`SELECT ${columns} FROM resources WHERE identifier = ${identifier} FOR SHARE`),
        Effect.orDie
      )

      const getWith = Effect.fnUntraced(function*(id: string, lock: Statement.Fragment) {
        if (!isId(id)) return yield* resourceNotFound
        const found = yield* Effect.orDie(
          firstResource(sql`SELECT ${columns} FROM resources WHERE id = ${id}::uuid ${lock}`)
        )
        return yield* Effect.mapError(Effect.fromOption(found), () => resourceNotFound)
      })

      const get = Effect.fn("Resources.get")((id: string) => getWith(id, sql``))

      const list = allResources(sql`SELECT ${columns} FROM resources ORDER BY lower(name), id`).pipe(
        Effect.orDie,
        Effect.withSpan("Resources.list")
      )

      let last: { readonly resources: ReadonlyArray<Resource>; readonly readAt: bigint } | undefined
      const known = Effect.gen(function*() {
        const readAt = yield* Clock.monotonicTimeNanos
        if (last !== undefined && readAt - last.readAt < kept) return last.resources
        // Meanwhile others go by what was read before.
        if (last !== undefined) last = { ...last, readAt }
        const before = last
        const resources = yield* before === undefined
          ? list
          : Effect.catchCause(list, () => Effect.succeed(before.resources))
        last = { resources, readAt }
        return resources
      })

      const judged = <A>(decoding: Effect.Effect<A, BadRequest>) =>
        Effect.provideService(decoding, KnownScopes, catalogue)

      const create = Effect.fn("Resources.create")(
        function*(actor: string, input: NewResourceInput) {
          const entered = yield* judged(decodeNew(input))
          const identifier = ResourceIdentifier.canonical(entered.identifier) ?? entered.identifier
          yield* refuse([
            ...identifier === ResourceIdentifier.canonical(baseUrl)
              ? [{ path: "identifier", ...broken("resourceIsApi") }]
              : [],
            ...outsideOf(entered)
          ])
          const now = yield* clock.now
          const resource = new Resource({
            ...entered,
            ...inOrder(entered),
            identifier,
            id: Uuid.v7(DateTime.toEpochMillis(now)),
            createdAt: now,
            updatedAt: now,
            version: 1
          })
          const rows = yield* sql`INSERT INTO resources ${
            sql.insert({ ...resource, createdAt: DateTime.toDateUtc(now), updatedAt: DateTime.toDateUtc(now) })
          } ON CONFLICT (identifier) DO NOTHING RETURNING id`
          if (rows.length === 0) return yield* taken
          yield* audit.record({ actor, action: "resource.created", details: detailsOf(resource) })
          last = undefined
          return resource
        },
        inTransaction(sql)
      )

      const edit = Effect.fn("Resources.edit")(
        function*(actor: string, id: string, input: ResourceEditInput) {
          const { version, ...entered } = yield* judged(decodeEdit(input))
          const before = yield* getWith(id, sql`FOR NO KEY UPDATE`)
          if (version !== undefined && version !== before.version) return yield* resourceChanged
          const changed = { ...before, ...entered }
          yield* refuse(outsideOf(changed))
          const now = yield* clock.now
          const resource = new Resource({
            ...changed,
            ...inOrder(changed),
            updatedAt: now,
            version: before.version + 1
          })
          yield* sql`UPDATE resources SET ${
            sql.update({
              name: resource.name,
              scopes: resource.scopes,
              baseScopes: resource.baseScopes,
              updatedAt: DateTime.toDateUtc(now),
              version: resource.version
            })
          } WHERE id = ${id}::uuid`
          yield* audit.record({ actor, action: "resource.changed", details: detailsOf(resource) })
          last = undefined
          return resource
        },
        inTransaction(sql)
      )

      const remove = Effect.fn("Resources.remove")(
        function*(actor: string, id: string) {
          if (!isId(id)) return yield* resourceNotFound
          // Consents that are under way are given before, or see that it is gone (`lock`).
          const [gone] = yield* allResources(sql`DELETE FROM resources WHERE id = ${id}::uuid RETURNING ${columns}`)
          if (gone === undefined) return yield* resourceNotFound
          const { identifier } = gone
          yield* sql`DELETE FROM authorization_requests WHERE resource = ${identifier}`
          // Codes first: one that is being spent meanwhile has become a grant when the grants are ended.
          yield* codes.withdrawOf(identifier)
          const ended = yield* endGrants(sql`resource = ${identifier}`, "resource deleted")
          yield* sql`UPDATE resource_servers SET revoked_at = ${DateTime.toDateUtc(yield* clock.now)}
            WHERE resource = ${identifier} AND revoked_at IS NULL`
          const details = { id, identifier, name: gone.name, grants: ended.length }
          yield* audit.record({ actor, action: "resource.deleted", details })
          last = undefined
          return { grants: ended.length }
        },
        inTransaction(sql),
        Effect.provideService(StatementTimeout, importTimeout)
      )

      const usage = Effect.fn("Resources.usage")(function*({ identifier }: Resource) {
        const now = yield* DatabaseClock.statementNow
        const [row] = yield* sql<Omit<ResourceUsage, "isComplete">>`SELECT count(*)::int AS grants,
            count(DISTINCT client_id)::int AS apps, count(DISTINCT user_id)::int AS users
          FROM (SELECT client_id, user_id FROM grants WHERE resource = ${identifier} AND ${live(now)}
            LIMIT ${mostCounted}) counted`
        const { apps, grants, users } = row ?? { apps: 0, grants: 0, users: 0 }
        return { apps, grants, users, isComplete: grants < mostCounted }
      }, Effect.orDie)

      const inOrder = ({ baseScopes, scopes }: Scopes) => ({
        scopes: catalogue.inOrder(new Set(scopes)),
        baseScopes: catalogue.inOrder(new Set(baseScopes))
      })

      return Resources.of({
        find,
        lock,
        get,
        list,
        known,
        baseScopesOf: (resource) => resource === null ? ofApi : resource.baseScopes,
        usage,
        create,
        edit,
        remove
      })
    })
  )
}

type Scopes = Pick<Resource, "scopes" | "baseScopes">

const columns = Column.names(Resource.fields)
const allResources = Rows.all(Resource)
const firstResource = Rows.first(Resource)

/** Time for which what was read counts. */
const kept = Duration.toNanosUnsafe("2 seconds")

const isId = Schema.is(Schema.String.check(Schema.isUUID()))

const decodeNew = decode(NewResource)
const decodeEdit = decode(ResourceEdit)

/** Base scopes that are none of the resource's. */
const outsideOf = ({ baseScopes, scopes }: Scopes): ReadonlyArray<Fault> =>
  baseScopes.flatMap((scope, at) =>
    scopes.includes(scope) ? [] : [{ path: `baseScopes.${at}`, ...broken("baseElsewhere", { scope }) }]
  )

const refuse = (faults: ReadonlyArray<Fault>) => faults.length === 0 ? Effect.void : Effect.fail(invalid(faults))

const taken = new Conflict({
  code: "resource_taken",
  message: "There is a resource with this identifier.",
  details: [{ path: "identifier", ...broken("taken") }]
})

const detailsOf = ({ baseScopes, id, identifier, name, scopes }: Resource) => ({
  id,
  identifier,
  name,
  scopes: scopes.join(" "),
  baseScopes: baseScopes.join(" ")
})
