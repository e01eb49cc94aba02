// For programs that test against the server (docs/testing.md): the whole of it in memory with its fixtures, and the
// layers of which a test composes one of its own.
import { Effect, Layer } from "effect"
import type { IdentitySource } from "./core/accounts/people/IdentitySource.ts"

export type { Mail } from "../workers/Mailer.ts"
export type { Event as ReviewEvent } from "../workers/ReviewWebhook.ts"
export type * from "./testing/Fixtures.ts"
export type { OwnUsers } from "./testing/OwnUsers.ts"
export { type Send, serve } from "./testing/Serve.ts"
export { ShiftedClock } from "./testing/ShiftedClock.ts"
export { start, type StartedTestServer, TestServerStopped } from "./testing/Start.ts"
export type { TestJob } from "./testing/TestJobs.ts"
export { type OwnCatalogue, TestServer } from "./testing/TestServer.ts"
export type { TestServerMethods } from "./testing/TestServerMethods.ts"

// The server is loaded when it is used, because loading it takes most of the time of an import.
const load = Effect.promise(() => import("./testing/Layers.ts"))

/** Whole server at `https://slotkey.test`, without a port; needs the services of `layer`. */
export const server = Effect.flatMap(load, ({ server }) => server)

/**
 * Services of a test server with local accounts; `env` holds settings by their names in docs/operations/settings.md,
 * and `catalogue` what the file of a catalogue of your own has.
 * The server reads its keys once, because `TestClock` would step through every reload when it is set forward by a
 * month.
 */
export const layer = (env: Readonly<Record<string, string>> = {}, catalogue?: object) =>
  Layer.unwrap(Effect.map(load, ({ layer }) => layer(env, catalogue)))

/** Same services on another identity source: `users` provides `IdentitySource` and may provide more. */
export const layerWith = <A, E, R>(
  users: Layer.Layer<IdentitySource | A, E, R>,
  env: Readonly<Record<string, string>> = {},
  catalogue?: object
) => Layer.unwrap(Effect.map(load, ({ layerWith }) => layerWith(users, env, catalogue)))
