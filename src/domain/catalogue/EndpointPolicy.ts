import { Context, Effect, Layer, Result } from "effect"
import { type EndpointListError, parse } from "../operations/EndpointList.ts"
import { compile, type Policy } from "../operations/Policy.ts"
import { builtIn, Catalogue } from "./Catalogue.ts"

/** Scope that each operation of the platform API needs, as the catalogue has it. */
export class EndpointPolicy
  extends Context.Service<EndpointPolicy, Policy>()("slotkey/domain/catalogue/EndpointPolicy")
{
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
