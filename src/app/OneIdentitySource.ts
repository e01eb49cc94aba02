import { Context, Effect, Layer } from "effect"
import { IdentitySource } from "../core/accounts/people/IdentitySource.ts"

/** Identity source that the services were built on. */
export class ServicesIdentitySource extends Context.Service<ServicesIdentitySource, IdentitySource["Service"]>()(
  "slotkey/app/OneIdentitySource/ServicesIdentitySource"
) {
  static readonly layer = Layer.effect(ServicesIdentitySource, IdentitySource)
}

/**
 * Stops the start of a server whose routes would ask another identity source than its services do. That source was
 * merged with the services instead of being provided to them, and its users could not sign in.
 */
export const OneIdentitySource = Layer.effectDiscard(Effect.gen(function*() {
  if ((yield* IdentitySource) !== (yield* ServicesIdentitySource)) {
    return yield* Effect.die(
      new Error("The services ask another identity source than the routes: provide yours to Services, beneath them")
    )
  }
}))
