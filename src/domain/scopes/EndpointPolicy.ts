import { Context, Effect, Layer, Result } from "effect"
import { builtIn, Catalogue } from "./Catalogue.ts"
import { type EndpointListError, parse } from "./EndpointList.ts"
import { compile, type Policy } from "./Policy.ts"

/** Scope that each operation of the platform API needs, as the catalogue has it. */
export class EndpointPolicy extends Context.Service<EndpointPolicy, Policy>()("slotkey/domain/scopes/EndpointPolicy") {
  static readonly layer: Layer.Layer<EndpointPolicy> = Layer.effect(
    EndpointPolicy,
    Effect.map(Catalogue, ({ policy }) => policy)
  )
}

/** Checks a list of operations and compiles it. */
export const load = (
  text: string,
  catalogue: Catalogue = builtIn()
): Result.Result<Policy, EndpointListError> => Result.flatMap(parse(text, catalogue), compile)
