import { Array, Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { BadRequest } from "../../../domain/ApiError.ts"
import * as Cursor from "../../../domain/Cursor.ts"
import { ClientId, type UserId } from "../../../domain/Ids.ts"
import { isPrintable } from "../../../domain/Text.ts"
import * as Column from "../../../foundation/database/Column.ts"
import { containing } from "../../../foundation/database/Containing.ts"
import * as Rows from "../../../foundation/database/Rows.ts"
import * as TransactionLock from "../../../foundation/database/TransactionLock.ts"
import { appsOf } from "./AppAccess.ts"
import { Client, ClientChange, ManagedClient } from "./Client.ts"

/** One page of the apps in which somebody has a part, the newest first; `nextCursor` is `null` on the last. */
export interface OwnedPage {
  readonly clients: ReadonlyArray<ManagedClient>
  readonly nextCursor: string | null
}

/** Tables `clients` and `client_changes`: clients, and their changes that wait for review or were rejected. */
export class ClientsRepo extends Context.Service<ClientsRepo, {
  find(id: string): Effect.Effect<Option.Option<Client>>
  /** Reads a client under its row lock: all other commands on it wait until the caller's transaction ends. */
  lock(id: string): Effect.Effect<Option.Option<ManagedClient>>
  get(id: string): Effect.Effect<Option.Option<ManagedClient>>
  /** Apps whose first owner this is, without their test apps. */
  listOwned(owner: UserId): Effect.Effect<ReadonlyArray<ManagedClient>>
  /** Those that others share with this user as well. */
  listOf(user: UserId): Effect.Effect<ReadonlyArray<ManagedClient>>
  pageOf(
    user: UserId,
    limit: number,
    cursor: string | undefined,
    search?: string
  ): Effect.Effect<OwnedPage, BadRequest>
  /** Number of the owner's pending apps. The owner's other registrations wait until the transaction ends. */
  countPending(owner: UserId): Effect.Effect<number>
  /** Answers false, and changes nothing, when a client of this id exists. */
  insert(client: Client): Effect.Effect<boolean>
  /** Inserts legacy clients, which are observed from now on; answers the ids of those that were new. */
  insertAll(clients: Array.NonEmptyReadonlyArray<Client>): Effect.Effect<ReadonlySet<string>>
  /** Clients with these ids, by id; texts that cannot be ids are skipped. */
  findAll(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, Client>>
  /** Keeps no picture of a logo that neither version names any more, nor one to which a decision may be undone. */
  save(client: ManagedClient): Effect.Effect<void>
  remove(id: ClientId): Effect.Effect<void>
  /** Adds to each client its change that waits or was rejected, if any. */
  withChanges(clients: ReadonlyArray<Client>): Effect.Effect<ReadonlyArray<ManagedClient>>
}>()("slotkey/core/clients/records/ClientsRepo") {
  static readonly layer: Layer.Layer<ClientsRepo, never, SqlClient.SqlClient> = Layer.effect(
    ClientsRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      // A text that cannot be an id is not looked up: the database would refuse some of them with an error. The lock is
      // not FOR UPDATE: the foreign keys of new grants and codes must not wait for an edit.
      const select = (id: string, lock: "locked" | "unlocked") =>
        isPlausible(id)
          ? firstClient(sql`SELECT ${columns} FROM clients WHERE id = ${id}
            ${sql.literal(lock === "locked" ? "FOR NO KEY UPDATE" : "")}`)
          : Effect.succeedNone

      const withChanges = Effect.fnUntraced(function*(clients: ReadonlyArray<Client>) {
        if (clients.length === 0) return []
        const changes = yield* allChanges(
          sql`SELECT ${changeColumns} FROM client_changes WHERE client_id = ANY(${clients.map(({ id }) => id)})`
        )
        const found = new Map(changes.map((row) => [row.clientId, row]))
        return clients.map((client) => {
          const row = found.get(client.id)
          return new ManagedClient({ ...client, change: row === undefined ? null : new ClientChange(row) })
        })
      }, Effect.orDie)

      /** Apps with this in their name or website, or of this id. */
      const matching = (search: string) => {
        if (search === "") return sql`true`
        if (!isPrintable(search)) return sql`false`
        const part = containing(search)
        return sql`(name ILIKE ${part} OR website ILIKE ${part} OR id = ${search})`
      }

      const pageOf = Effect.fn("ClientsRepo.pageOf")(
        function*(user: UserId, limit: number, cursor: string | undefined, search = "") {
          const place = cursor === undefined ? undefined : yield* Cursor.decode("created", /^\d{1,18}$/, cursor)
          const at = sql`('epoch'::timestamptz + ${place?.key ?? null}::text::bigint * interval '1 microsecond')`
          const behind = sql`(created_at < ${at} OR (created_at = ${at} AND id > ${place?.id ?? null}::text))`
          const rows =
            yield* sql`SELECT ${columns}, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_key
            FROM clients WHERE id IN ${appsOf(sql, user)} AND test_of IS NULL AND ${matching(search)} AND ${
              place === undefined ? sql`true` : behind
            }
            ORDER BY created_at DESC, id LIMIT ${limit + 1}`
          const page = rows.slice(0, limit)
          const last = Option.filter(Array.last(yield* allPlaces(Effect.succeed(page))), () => rows.length > limit)
          return {
            clients: yield* withChanges(yield* allClients(Effect.succeed(page))),
            nextCursor: Option.getOrNull(
              Option.map(last, ({ createdKey, id }) => Cursor.encode({ order: "created", key: createdKey, id }))
            )
          }
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      const managed = (id: string, lock: "locked" | "unlocked") =>
        Effect.flatMap(
          select(id, lock),
          (client) => Effect.map(withChanges(Option.toArray(client)), ([first]) => Option.fromUndefinedOr(first))
        )

      const save = Effect.fnUntraced(function*({ change, ...client }: ManagedClient) {
        const { createdAt: _, id, ...columns } = encode(new Client(client))
        yield* sql`UPDATE clients SET ${sql.update(columns)} WHERE id = ${id}`
        yield* sql`DELETE FROM client_changes WHERE client_id = ${id}`
        const digests = [client.logoDigest, change?.logoDigest].filter((digest) => typeof digest === "string")
        // What a decision replaced may come back until it is forgotten.
        yield* sql`DELETE FROM logos WHERE client_id = ${id} AND digest <> ALL(${digests}::text[])
          AND digest NOT IN (SELECT before->>'logoDigest' FROM review_decisions
            WHERE client_id = ${id} AND before->>'logoDigest' IS NOT NULL)`
        if (change === null) return
        yield* sql`INSERT INTO client_changes ${sql.insert(encodeChange({ ...change, clientId: client.id }))}`
      }, Effect.orDie)

      return ClientsRepo.of({
        find: Effect.fn("ClientsRepo.find")((id) => select(id, "unlocked"), Effect.orDie),
        lock: Effect.fn("ClientsRepo.lock")((id) => managed(id, "locked"), Effect.orDie),
        get: Effect.fn("ClientsRepo.get")((id) => managed(id, "unlocked"), Effect.orDie),
        listOwned: Effect.fn("ClientsRepo.listOwned")(
          (owner) =>
            sql`SELECT ${columns} FROM clients WHERE owner_id = ${owner} AND test_of IS NULL
              ORDER BY created_at DESC, id`,
          allClients,
          Effect.flatMap(withChanges),
          Effect.orDie
        ),
        listOf: Effect.fn("ClientsRepo.listOf")(
          (user) =>
            sql`SELECT ${columns} FROM clients WHERE id IN ${appsOf(sql, user)} AND test_of IS NULL
              ORDER BY created_at DESC, id`,
          allClients,
          Effect.flatMap(withChanges),
          Effect.orDie
        ),
        pageOf,
        countPending: Effect.fn("ClientsRepo.countPending")(function*(owner) {
          yield* TransactionLock.take(sql, `clients ${owner}`)
          const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM clients
            WHERE owner_id = ${owner} AND status = 'pending'`
          return row?.n ?? 0
        }, Effect.orDie),
        insert: Effect.fn("ClientsRepo.insert")(
          (client) =>
            Effect.map(
              sql`INSERT INTO clients ${sql.insert(encode(client))} ON CONFLICT (id) DO NOTHING RETURNING id`,
              (rows) => rows.length > 0
            ),
          Effect.orDie
        ),
        insertAll: Effect.fn("ClientsRepo.insertAll")(
          function*(clients) {
            const observedSince = DateTime.toDateUtc(yield* DateTime.now)
            const values = sql.insert(Array.map(clients, (client) => ({ ...encode(client), observedSince })))
            const rows = yield* sql<{ id: string }>`INSERT INTO clients ${values}
              ON CONFLICT (id) DO NOTHING RETURNING id`
            return new Set(rows.map(({ id }) => id))
          },
          Effect.orDie
        ),
        findAll: Effect.fn("ClientsRepo.findAll")(
          (ids) => sql`SELECT ${columns} FROM clients WHERE id = ANY(${[...new Set(ids.filter(isPlausible))]}::text[])`,
          allClients,
          Effect.map((clients) => new Map<string, Client>(clients.map((client) => [client.id, client]))),
          Effect.orDie
        ),
        save: Effect.fn("ClientsRepo.save")(save),
        remove: Effect.fn("ClientsRepo.remove")(
          (id) => Effect.asVoid(sql`DELETE FROM clients WHERE id = ${id}`),
          Effect.orDie
        ),
        withChanges
      })
    })
  )
}

/** Columns of `clients` that make a client. */
export const columns = Column.names(Client.fields)

const ChangeRow = Schema.Struct({ ...ClientChange.fields, clientId: ClientId })
const changeColumns = Column.names(ChangeRow.fields)

/** Tells whether a text could be a client id; the database would refuse some of the others itself. */
export const isPlausible = (id: string): boolean => id !== "" && id.length <= 255 && isPrintable(id)

export const allClients = Rows.all(Client)
const firstClient = Rows.first(Client)
const allChanges = Rows.all(ChangeRow)
const allPlaces = Rows.all(Schema.Struct({ id: ClientId, createdKey: Schema.String }))
const encode = Schema.encodeSync(Client)
const encodeChange = Schema.encodeSync(ChangeRow)
