import { Context } from "effect"
import type { ClientId, GrantId } from "../../domain/Ids.ts"
import type { Operation } from "../../domain/operations/EndpointRules.ts"
import type { Need } from "./Need.ts"
import type { Outcome } from "./Use.ts"

/**
 * Notes calls where they are checked. It costs a call an addition in memory; a server writes the sums
 * (`CountedUsage`), and a program that asks a remote server sends them to it (`doors/resource/SentUsage.ts`). Where
 * neither is, as in a program that verifies offline, nothing is noted, hence the default.
 */
export const UsageNotes = Context.Reference<UsageNotes>("slotkey/core/usage/UsageNotes", {
  defaultValue: () => ({ looksUp: false, note: () => {} })
})

export interface UsageNotes {
  /** True where the token of a call that is refused in any case is looked up to count it. */
  readonly looksUp: boolean
  note(call: NotedCall): void
}

/** A call with a token of ours. Calls of public operations are not noted, nor are those without a valid token. */
export interface NotedCall {
  readonly grantId: GrantId
  readonly clientId: ClientId
  readonly outcome: Outcome
  readonly need: Need
  /** Operation, if it is a listed one. */
  readonly operation: Operation | undefined
}

/** Operation as it is listed. Operations of a catalogue are the same objects for each call. */
export const textOf = (operation: Operation): string => {
  const known = texts.get(operation)
  if (known !== undefined) return known
  const text = `${operation.method} ${operation.path}`
  texts.set(operation, text)
  return text
}

const texts = new WeakMap<Operation, string>()
