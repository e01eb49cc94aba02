import { Effect, type Layer } from "effect"
import { serve } from "../../src/testing.ts"

/** Sends requests for paths to routes at `https://slotkey.test`, which use the clock of the test. */
export const httpSender = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Effect.map(
    serve(routes),
    (send) => (path: string, init?: RequestInit) =>
      send(new Request(`https://slotkey.test${path}`, { redirect: "manual", ...init }))
  )
