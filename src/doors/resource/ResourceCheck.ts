import { Array, Effect } from "effect"
import { Resources } from "../../core/resources/Resources.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { allOf, Requirement } from "../../domain/scopes/Requirement.ts"
import type { Scope, ScopeName } from "../../domain/scopes/Scope.ts"
import { type Admission, admissions } from "./Admission.ts"
import { type Call, type Verdict, verdictOn } from "./Guard.ts"

/** Why a gateway cannot be answered: its configuration names what there is not. */
export interface Misnamed {
  readonly _tag: "Misnamed"
  readonly message: string
}

/**
 * Checks calls of a registered resource for its gateway (`GatewayRoutes`). Its operations are not in the catalogue: the
 * gateway's configuration says which scopes a call needs, each of them, or else it is the base set of the resource.
 */
export const resourceCheck = Effect.gen(function*() {
  const admissionTo = yield* admissions
  const { isScope } = yield* Catalogue
  const resources = yield* Resources
  // One for each state of a resource, as the registry hands it out.
  const made = new WeakMap<object, Admission["Service"]>()

  return Effect.fnUntraced(function*(
    id: string,
    scopes: ReadonlyArray<string> | undefined,
    call: Call
  ): Effect.fn.Return<Verdict, Misnamed> {
    const resource = (yield* resources.known).find((resource) => resource.id === id)
    if (resource === undefined) return yield* misnamed("There is no resource of this id.")
    if (scopes?.every(isScope) === false) return yield* misnamed("The catalogue does not have these scopes.")
    const needed: ReadonlyArray<ScopeName> = scopes ?? resource.baseScopes
    if (!isNames(needed)) return yield* misnamed("No scope is named.")
    const admission = made.get(resource) ?? admissionTo(resource)
    made.set(resource, admission)
    return yield* verdictOn(admission.admit(Requirement.Scope(allOf(needed)), call.authorization))
  })
})

const misnamed = (message: string): Effect.Effect<never, Misnamed> => Effect.fail({ _tag: "Misnamed", message })

/** Names of a file or a row, as requirements have them: those that the catalogue does not know cover nothing. */
const isNames = (scopes: ReadonlyArray<ScopeName>): scopes is Array.NonEmptyReadonlyArray<Scope> => scopes.length > 0
