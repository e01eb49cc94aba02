import { Context, Effect, Layer, References } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import * as Database from "../foundation/database/Database.ts"
import * as WhileOpening from "../foundation/database/embedded/WhileOpening.ts"
import * as OutageLog from "../foundation/log/OutageLog.ts"
import * as DatabaseOutage from "./DatabaseOutage.ts"
import type { OwnUsers } from "./OwnUsers.ts"
import { ShiftedClock } from "./ShiftedClock.ts"
import type { TestServerMethods } from "./TestServerMethods.ts"

/**
 * Whole server in memory, at `https://slotkey.test` without a port, with its fixtures. What cannot be made is a defect.
 */
export class TestServer extends Context.Service<TestServer, TestServerMethods>()("slotkey/testing/TestServer") {
  /**
   * Server with its services; `env` holds settings by their names in docs/operations/settings.md, and `users` the
   * identity source of your own; `catalogue` says its scopes and operations. Each layer is a server of its own.
   */
  static readonly layer = layer

  /** Same, with the routes to serve at a port. */
  static readonly layerWithRoutes = (options: Env | OwnCatalogue) =>
    opened(({ serverWithRoutes }) => serverWithRoutes(TestServer), options)
}

export type Env = Readonly<Record<string, string>>

/** Catalogue of an API of your own, with settings by their names in docs/operations/settings.md. */
export interface OwnCatalogue {
  /** Path of the file, or what it holds. */
  readonly catalogue?: string | object
  readonly [setting: Uppercase<string>]: string
}

function layer(options?: Env | OwnCatalogue): ReturnType<typeof withLocalAccounts>
function layer<A, E>(options: OwnUsers<A, E>): ReturnType<typeof withOwnUsers<A, E>>
function layer<A, E>(options: Env | OwnCatalogue | OwnUsers<A, E> = {}) {
  return isOwn(options) ? withOwnUsers(options) : withLocalAccounts(options)
}

export const isOwn = <A, E>(options: Env | OwnCatalogue | OwnUsers<A, E>): options is OwnUsers<A, E> =>
  "users" in options && Layer.isLayer(options.users)

const withLocalAccounts = (options: Env | OwnCatalogue) => opened(({ server }) => server(TestServer), options)

const withOwnUsers = <A, E>({ users, ...options }: OwnUsers<A, E>) =>
  opened(({ serverFor }) => serverFor(TestServer, { users }), options)

const opened = <A, E, R>(
  server: (composition: Effect.Success<typeof load>) => Layer.Layer<A, E, R>,
  { catalogue, ...env }: Env | OwnCatalogue
) =>
  Layer.unwrap(Effect.map(load, server)).pipe(
    Layer.provideMerge(Layer.provideMerge(DatabaseOutage.layer, layerDatabase)),
    // The database takes longer to open than the server takes to load.
    Layer.provide(WhileOpening.building(Effect.map(load, ({ WithoutDatabase }) => WithoutDatabase))),
    Layer.provideMerge(
      typeof catalogue === "string"
        ? AppConfig.layerTest({ ...atOnce, ...env, CATALOGUE: catalogue })
        : AppConfig.layerTest({ ...atOnce, ...env }, catalogue)
    ),
    Layer.provide(ShiftedClock.layer),
    // Else those of another server of this process would be this one's, too.
    Layer.provideMerge(OutageLog.layer),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "Error")),
    Layer.orDie
  )

// A test reads what a decision sends without waiting until its reviewer can't take it back.
const atOnce = { REVIEW_UNDO_WINDOW: "0 seconds" }

const load = Effect.promise(() => import("./Composition.ts"))

// In the folder is only the socket of the database.
const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "slotkey-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const layerDatabase = Layer.fresh(
  Layer.unwrap(Effect.map(temporaryFolder, (folder) => Database.layerEmbedded(folder, "memory")))
)
