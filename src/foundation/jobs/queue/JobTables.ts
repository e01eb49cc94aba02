import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from "bullmq"
import { type Cause, Duration, Effect, Option, Schedule } from "effect"
import pg from "pg"
import { AppConfig } from "../../config/AppConfig.ts"
import { DatabaseHosts } from "../../database/hosts/DatabaseHosts.ts"
import * as MigrationStep from "../../database/MigrationStep.ts"
import { outageOf } from "../../database/Outages.ts"
import { onEmbedded, onServer, settingsAt } from "./PostgresStore.ts"
import { queueNames } from "./QueueNames.ts"
import { QueuesUnavailable, unavailable } from "./QueueStore.ts"

/** Version of BullMQ's tables in the database, and the one that this code brings them to. */
interface JobTablesStatus {
  readonly version: number
  readonly newest: number
  /** What is to be done, if anything is. */
  readonly pending: Option.Option<string>
}

/** Reads how BullMQ's tables stand; there are none where `REDIS_URL` names the store of the jobs. */
export const status: Effect.Effect<Option.Option<JobTablesStatus>, QueuesUnavailable, AppConfig | DatabaseHosts> =
  Effect.gen(function*() {
    if (Option.isSome((yield* AppConfig).redisUrl)) return Option.none()
    const { newQueues, version } = yield* Effect.mapError(connected(read), reasonOf)
    const pending = version < LATEST_SCHEMA_VERSION
      ? Option.some(`version ${version} to ${LATEST_SCHEMA_VERSION}`)
      : Option.map(Option.liftPredicate(newQueues, (n) => n > 0), (n) => `new queues: ${n}`)
    return Option.some({ version, newest: LATEST_SCHEMA_VERSION, pending })
  })

const read = async (client: pg.Client) => {
  const version = await assertSchemaCompatibility(client).catch(none)
  if (version < LATEST_SCHEMA_VERSION) return { version, newQueues: queueNames.length }
  const { rows } = await client.query(
    "SELECT 1 FROM unnest($1::text[]) name WHERE to_regclass('bullmq.' || bullmq.job_id_seq_name(name)) IS NULL",
    [queueNames]
  )
  return { version, newQueues: rows.length }
}

/** Refuses tables that are behind. */
export const check: Effect.Effect<void, QueuesUnavailable, AppConfig | DatabaseHosts> = Effect.gen(function*() {
  const found = yield* status
  const pending = Option.flatMap(found, ({ pending }) => pending)
  if (Option.isNone(pending)) return
  return yield* new QueuesUnavailable({
    message: `The tables of the jobs are behind (${pending.value}): run slotkey migrate up`
  })
})

/** Brings the tables to the newest version; of processes that start at once, one does. */
export const migrate: Effect.Effect<void, QueuesUnavailable, AppConfig | DatabaseHosts> = Effect.gen(function*() {
  const found = yield* status
  if (Option.isNone(Option.flatMap(found, ({ pending }) => pending))) return
  // As for our own tables (`DatabaseSchema`): it gives up before those who come after it notice, and tries again.
  const migrated = connected(async (client) => {
    await client.query("SET lock_timeout = 2000")
    const { rows } = await client.query("SELECT 1 WHERE to_regnamespace('bullmq') IS NOT NULL")
    await runMigrations(rows.length === 0 ? client : withoutSchema(client))
    // BullMQ makes a sequence for each queue with its first job; but who does jobs need not have the right to make one.
    await client.query("SELECT bullmq.next_job_id(name) FROM unnest($1::text[]) name", [queueNames])
  })
  yield* MigrationStep.begin("tables of the jobs")
  yield* migrated.pipe(
    Effect.retry({
      while: (error) => outageOf(error)?.isBrief === true,
      schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: (yield* AppConfig).migrationTimeout }))
    }),
    Effect.mapError(reasonOf)
  )
})

type Queryable = Parameters<typeof runMigrations>[0]

/** A client that leaves the schema alone: `IF NOT EXISTS` asks for the right to make one even where it stands. */
const withoutSchema = (client: Queryable): Queryable => ({
  query: (text, params) =>
    text.startsWith("CREATE SCHEMA ") ? Promise.resolve({ rows: [] }) : client.query(text, params)
})

const reasonOf = ({ cause }: Cause.UnknownError) => unavailable(cause)

const none = (error: unknown): number => {
  if (error instanceof SchemaMigrationRequiredError) return 0
  throw error
}

// On a connection of its own: a migration may take longer than a call.
const connected = <A>(use: (client: pg.Client) => Promise<A>) =>
  Effect.gen(function*() {
    const { database, migrationTimeout, queueTimeout } = yield* AppConfig
    const hosts = yield* DatabaseHosts
    const limit = Duration.toMillis(migrationTimeout)
    return yield* Effect.tryPromise(async () => {
      const client = new pg.Client({
        ...settingsAt(hosts, database._tag === "Server" ? onServer(queueTimeout) : onEmbedded),
        query_timeout: limit,
        statement_timeout: limit
      })
      client.on("error", () => {})
      try {
        await client.connect()
        return await use(client)
      } finally {
        await client.end()
      }
    })
  })
