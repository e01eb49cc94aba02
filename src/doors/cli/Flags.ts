import { Flag } from "effect/cli"

/** A text that must be there. */
export const text = (name: string, description: string) => Flag.String(name).pipe(Flag.withDescription(description))

/** A text that may be left out. */
export const optionalText = (name: string, description: string) => Flag.optional(text(name, description))

/** A switch, which is off unless it is named. */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))
