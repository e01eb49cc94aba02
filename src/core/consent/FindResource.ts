import { Effect, Result } from "effect"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { Resources } from "../resources/Resources.ts"
import { malformedResource, readResource, type Sent, unknownResource } from "./NamedResource.ts"

/** Finds the resources that requests name. It stands apart for the contract, which loads no services. */
export const findResource = Effect.gen(function*() {
  const { baseUrl } = yield* AppConfig
  const resources = yield* Resources
  return Effect.fnUntraced(function*({ parameters }: Sent) {
    const named = readResource(parameters.get("resource"), baseUrl)
    if (named.isApi) return api
    if (named.identifier === undefined) return Result.fail(malformedResource)
    return Result.fromOption(yield* resources.find(named.identifier), () => unknownResource)
  })
})

const api = Result.succeed(null)
