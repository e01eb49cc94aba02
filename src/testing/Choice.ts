import { Effect } from "effect"
import { oneOf } from "../domain/Listed.ts"
import type { Decision } from "./Fixtures.ts"

export const reviewDecisions: ReadonlyArray<Decision> = ["approve", "reject", "suspend", "resume"]
export const userDecisions: ReadonlyArray<"allow" | "deny"> = ["allow", "deny"]

/** Ends a test in plain JavaScript that misspells a choice: it would go on without what it asked for. */
export const checkChoice = <A extends string>(
  field: string,
  choice: A,
  choices: ReadonlyArray<A>
): Effect.Effect<void> =>
  choices.includes(choice)
    ? Effect.void
    : Effect.die(new TypeError(`${field} must be ${oneOf(choices.map((one) => JSON.stringify(one)))}`))
