import { Context, DateTime, Effect, Schema, SchemaGetter } from "effect"
import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import { isRetired, whyNotAdded } from "../../../domain/catalogue/Retirement.ts"
import type { Fault } from "../../../domain/Input.ts"
import { breach, type Broken, broken, ruled } from "../../../domain/Rule.ts"
import type { Scope, ScopeName } from "../../../domain/scopes/Scope.ts"

/**
 * Catalogue by which names are judged that developers enter, so that all faults of a request are found at once. A typed
 * client has none: one contract is compiled into clients of all servers.
 */
export const KnownScopes = Context.Reference<Catalogue | undefined>(
  "slotkey/core/clients/records/EnteredScope/KnownScopes",
  { defaultValue: () => undefined }
)

const notThere = broken("scope")

/** A name that is a scope. */
export const scopeThat = (isScope: (name: string) => name is Scope) =>
  Schema.String.annotate(notThere).pipe(Schema.refine(isScope, { ...notThere, identifier: "Scope" }))

/** Form of every scope (RFC 6749 §3.3), all that the contract says. */
const isToken = (name: string): name is Scope => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)

type Judge = (catalogue: Catalogue, name: string, now: DateTime.Utc) => Broken | undefined

/** A name of its own for the declarations of the package, which would list the built-in scopes in the place of it. */
export interface EnteredScope extends Schema.Codec<Scope, string> {}

const judgedBy = (judge: Judge): EnteredScope =>
  scopeThat(isToken).pipe(
    Schema.decode({
      decode: SchemaGetter.checkEffect((name) =>
        Effect.gen(function*() {
          const catalogue = yield* KnownScopes
          const found = catalogue === undefined ? undefined : judge(catalogue, name, yield* DateTime.now)
          return found === undefined ? undefined : breach(found)
        })
      ),
      encode: SchemaGetter.passthrough()
    })
  )

const faultOf: Judge = ({ isScope }, name) => isScope(name) ? undefined : notThere

/**
 * In characters, as `scope` has them. Tokens, addresses of requests and what a gateway is answered are headers, and
 * gateways commonly take 8 kB of a request and 4 kB of an answer.
 */
const mostOfScopes = 3_000

const fitting = ruled((scopes: ReadonlyArray<string>) =>
  scopes.join(" ").length <= mostOfScopes ? undefined : broken("scopesTooLong", { most: mostOfScopes })
)

/** Scopes of the catalogue, as an app that has them may keep them. */
export const EnteredScopes = Schema.Array(judgedBy(faultOf)).check(fitting)

/** Same for an app that has none yet. */
export const NewScopes = Schema.Array(
  judgedBy((catalogue, name, now) =>
    faultOf(catalogue, name, now) ?? (isRetired(catalogue, name, now) ? whyNotAdded(catalogue, name) : undefined)
  )
).check(fitting)

/** Faults of scopes that an edit adds: one that was retired stays with an app that has it, or asked for it before. */
export const retiredFaults = (
  catalogue: Catalogue,
  entered: ReadonlyArray<ScopeName> = [],
  held: ReadonlyArray<ScopeName>,
  now: DateTime.Utc
): ReadonlyArray<Fault> =>
  entered.flatMap((scope, at) =>
    held.includes(scope) || !isRetired(catalogue, scope, now)
      ? []
      : [{ path: `scopes.${at}`, ...whyNotAdded(catalogue, scope) }]
  )
