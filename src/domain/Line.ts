import { Schema } from "effect"
import { isPrintable } from "./Text.ts"

/** Text on one line, as a page shows it. */
export const Line = (most: number) =>
  Schema.String.check(
    Schema.makeFilter((text) => isPrintable(text) || "must not contain control characters"),
    Schema.isPattern(/^\S(?:.*\S)?$/u, { message: "must be one line, without blanks at its ends" }),
    Schema.isMaxLength(most, { message: `must have at most ${most} characters` })
  )
