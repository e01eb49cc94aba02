// @effect-diagnostics strictEffectProvide:off
import { Effect, Layer, Redacted } from "effect"
import { chownSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Population from "../../bench/Population.ts"
import { seed } from "../../bench/systems/Slotkey.ts"
import { LocalServices } from "../../src/app/Services.ts"
import { Accounts } from "../../src/core/accounts/local/Accounts.ts"
import { ApiKeys } from "../../src/core/accounts/people/ApiKeys.ts"
import { Sessions } from "../../src/core/accounts/people/Sessions.ts"
import { UserId } from "../../src/domain/Ids.ts"
import { AppConfig } from "../../src/foundation/config/AppConfig.ts"
import * as Database from "../../src/foundation/database/Database.ts"
import * as Cluster from "./Cluster.ts"

/** A data folder that every world starts from, and what its people hold. */
export interface Template {
  readonly data: string
  /** Session of each user, who consents. */
  readonly sessions: ReadonlyArray<{ readonly userId: string; readonly cookie: string }>
  readonly developer: { readonly email: string; readonly key: string }
  readonly administrator: { readonly email: string; readonly key: string }
}

/** Settings that all processes of a world share. */
export const shared = {
  BASE_URL: "http://localhost:3000",
  MASTER_KEY: Buffer.alloc(32, 7).toString("base64")
} as const

/** Apps and users of a world; each pair of them consents at most once. */
export const population: Population.Population = { clients: 1_000, users: 10, codes: 0 }

/** Makes the data folder: a migrated database with apps, users who are signed in, a developer and an administrator. */
export const make = (folder: string): Effect.Effect<Template> =>
  Effect.scoped(Effect.gen(function*() {
    const data = join(folder, "template")
    mkdirSync(data)
    if (Cluster.user !== undefined) chownSync(data, Cluster.user.uid, Cluster.user.gid)
    yield* Cluster.run(
      "initdb",
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--wal-segsize=4", "--no-sync"],
      folder
    )
    const cluster = yield* Cluster.make({ name: "template", folder, data })
    yield* cluster.launch
    yield* create(cluster)
    const people = yield* Effect.provide(settle, Infrastructure(cluster.url)).pipe(Effect.orDie)
    yield* cluster.end("SIGINT")
    return { data, ...people }
  }))

const create = (cluster: Cluster.Cluster) =>
  Effect.promise(async () => {
    const { default: pg } = await import("pg")
    for (let tries = 0; tries < 600; tries++) {
      const client = new pg.Client({ host: "127.0.0.1", port: cluster.port, user: "postgres", database: "postgres" })
      try {
        await client.connect()
        await client.query(`CREATE ROLE ${Cluster.role} LOGIN`)
        await client.query(`CREATE DATABASE ${Cluster.role} OWNER ${Cluster.role}`)
        return
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50))
      } finally {
        await client.end().catch(() => {})
      }
    }
    throw new Error("PostgreSQL did not start")
  })

const Infrastructure = (url: string) =>
  LocalServices.pipe(
    Layer.provideMerge(Database.layer),
    Layer.provideMerge(AppConfig.layerTest({ ...shared, DATABASE_URL: url }))
  )

const settle = Effect.gen(function*() {
  yield* seed(population)
  const accounts = yield* Accounts
  const keys = yield* ApiKeys
  const sessions = yield* Sessions

  const person = Effect.fnUntraced(function*(role: "user" | "admin") {
    const email = `${role}@people.example`
    const { id } = yield* accounts.create({ email, name: role, password: Redacted.make(crypto.randomUUID()), role })
    const { key } = yield* keys.create(id, "faults", id)
    return { email, key: Redacted.value(key) }
  })

  const userIds = Array.from({ length: population.users }, (_, n) => Population.userId(n))
  return {
    developer: yield* person("user"),
    administrator: yield* person("admin"),
    sessions: yield* Effect.forEach(
      userIds,
      (userId) =>
        Effect.map(
          sessions.start(UserId.make(userId)),
          (token) => ({ userId, cookie: `slotkey=${Redacted.value(token)}` })
        )
    )
  }
})
