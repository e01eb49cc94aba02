import { Record } from "effect"
import type { Fault } from "../../domain/Input.ts"
import type { Rule } from "../../domain/Rule.ts"
import { type Html, html, type Phrase } from "./Html.ts"
import { listText } from "./ListText.ts"
import { Message, text } from "./Message.ts"

/**
 * What a form says of a mistake in the field with this label, in a sentence: the message of the rule that is broken. A
 * rule for programs alone has none.
 */
export const faultText = (label: Phrase, { rule }: Fault): Html =>
  rule === undefined
    ? text("fault.other", { label })
    : new Message(`fault.${rule.code}`, { ...Record.map(rule.values, shown), label })

/** Texts stand apart, so that their direction does not turn the sentence around. */
const shown = (value: Rule["values"][string]): Html | number =>
  typeof value === "number" ? value : typeof value === "string" ? apart(value) : listText(value.map(apart))

const apart = (value: string): Html => html`<bdi>${value}</bdi>`
