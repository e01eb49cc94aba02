import { Context, Effect, Layer } from "effect"
import { Limiter } from "../../src/core/limits/Limiter.ts"

/** The subject of `sign_in_failures` that these parts name. */
export const limitedSubject = Effect.fnUntraced(function*(...parts: ReadonlyArray<string>) {
  return Context.get(yield* Layer.build(Limiter.layer), Limiter).subjectOf(...parts)
})
