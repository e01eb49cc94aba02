import { Effect, type Layer } from "effect"
import { serve } from "../../src/testing.ts"

/** Serves routes at `https://slotkey.test` on the test's clock, and answers a function that sends them requests. */
export const httpSender = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Effect.map(
    serve(routes),
    (send) => (path: string, init?: RequestInit) =>
      send(new Request(`https://slotkey.test${path}`, { redirect: "manual", ...init }))
  )
