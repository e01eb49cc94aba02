import { Effect, type Layer } from "effect"
import { serve } from "../../src/testing.ts"

/** Routes at `https://slotkey.test`, asked with a path; the clock of the test is theirs. */
export const client = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Effect.map(
    serve(routes),
    (send) => (path: string, init?: RequestInit) =>
      send(new Request(`https://slotkey.test${path}`, { redirect: "manual", ...init }))
  )
