import { Context, Effect, Layer } from "effect"
import type { AccessCheck } from "../../core/tokens/AccessCheck.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { EndpointPolicy } from "../../domain/catalogue/EndpointPolicy.ts"
import { none, OtherCatalogues } from "../../domain/catalogue/OtherCatalogues.ts"
import { Admission, type BaseScopes, type Guarded } from "./Admission.ts"
import { uncheckable } from "./ErrorResponse.ts"
import * as FetchedCatalogues from "./FetchedCatalogues.ts"
import { Guard } from "./Guard.ts"
import type { Remote } from "./RemoteAccessCheck.ts"

/**
 * `Guard` and `Admission` by the catalogues of the server at `baseUrl`, instead of one of the program's own. While one
 * is announced there, a call must satisfy both. Until they are known every call is answered 503, since none is known to
 * be public.
 */
export const layerFetched = (
  { baseScopes, baseUrl, resource }: Pick<Remote, "baseUrl" | "resource"> & BaseScopes
): Layer.Layer<Admission | Guard, never, AccessCheck> =>
  Layer.effectContext(Effect.gen(function*() {
    const context = yield* Effect.context<AccessCheck>()
    const scope = yield* Effect.scope
    const doors = yield* FetchedCatalogues.make(
      baseUrl,
      (live) =>
        Effect.provideContext(Layer.buildWithScope(doorsBy(baseUrl, { baseScopes, resource }, live), scope), context)
    )

    const admission = Admission.of({
      admit: (...call) => Effect.flatMap(doors, (built) => Context.get(built, Admission).admit(...call))
    })
    const guard = Guard.of({
      check: (...call) =>
        doors.pipe(
          Effect.flatMap((built) => Context.get(built, Guard).check(...call)),
          Effect.catchTag("TemporarilyUnavailable", () => Effect.succeed(unknown))
        )
    })
    return Context.make(Admission, admission).pipe(Context.add(Guard, guard))
  }))

const doorsBy = (
  baseUrl: string,
  of: Guarded,
  { announced, inForce }: FetchedCatalogues.LiveCatalogues
) => {
  const others = announced === undefined ? none : [announced]
  return Guard.layer.pipe(
    Layer.provideMerge(Admission.layerAt(baseUrl, of)),
    Layer.provide(EndpointPolicy.layer),
    Layer.provide([Layer.succeed(Catalogue, inForce), Layer.succeed(OtherCatalogues, { now: () => others })]),
    // Layers are shared by reference, and these differ by what is beneath.
    Layer.fresh
  )
}

const unknown = {
  ...uncheckable,
  allowed: false,
  message: "The call cannot be checked now; try again shortly."
} as const
