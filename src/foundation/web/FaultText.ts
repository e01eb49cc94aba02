import type { Fault } from "../../domain/Input.ts"
import type { Html, Phrase } from "./Html.ts"
import { text } from "./Message.ts"

/**
 * What a form says of a mistake in the field with this label, in a sentence. Rules of the domain say it in English,
 * for programs: the message is found by their words (docs/decisions/languages.md). One that has none is read in
 * English.
 */
export const faultText = (label: Phrase, { message }: Fault): Html => {
  for (const [pattern, sentence] of sentences) {
    const found = pattern.exec(message)
    if (found !== null) return sentence(label, found.slice(1))
  }
  return text("fault.other", { label, fault: message })
}

type Sentence = (label: Phrase, values: ReadonlyArray<string | undefined>) => Html

const sentences: ReadonlyArray<readonly [RegExp, Sentence]> = [
  [/^is required$/, (label) => text("fault.required", { label })],
  [
    /^must have (\d+) to (\d+) characters$/,
    (label, [least, most]) => text("fault.length", { label, least: Number(least), most: Number(most) })
  ],
  [/^must have at most (\d+) characters$/, (label, [most]) => text("fault.tooLong", { label, most: Number(most) })],
  [/^must be one line$/, (label) => text("fault.lines", { label })],
  [
    /^must not contain (control|invisible) characters: (U\+\w+)(?: after “(.*)”)?$/su,
    (label, [kind = "", character = "", before]) =>
      before === undefined
        ? text("fault.unprintable", { label, kind, character })
        : text("fault.unprintableAfter", { label, kind, character, before })
  ],
  [/^must look like (\S+)$/, (label, [example = ""]) => text("fault.email", { label, example })],
  [
    /^must have 1 to (\d+) letters, digits, dots, hyphens or underscores$/,
    (label, [most]) => text("fault.username", { label, most: Number(most) })
  ],
  [
    /^is not known; write it as in (\S+)$/,
    (label, [example = ""]) => text("fault.timeZone", { label, example })
  ],
  [/^is easy to guess;/, (label) => text("fault.guessable", { label })],
  [/^does not match the one above$/, (label) => text("fault.repeated", { label })],
  [/^is wrong$/, (label) => text("fault.wrong", { label })],
  [
    /^was wrong too often; wait (?:a|(\d+)) minutes?$/,
    (label, [minutes = 1]) => text("fault.wrongTooOften", { label, minutes: Number(minutes) })
  ],
  [/^is taken$/, (label) => text("fault.taken", { label })],
  [/^belongs to another account$/, (label) => text("fault.emailOfAnother", { label })],
  [/^is the address that the account has$/, (label) => text("fault.emailUnchanged", { label })],
  [/^is missing: choose a date$/, (label) => text("fault.dateMissing", { label })],
  [/^is missing: the account has its role/, (label) => text("fault.endMissing", { label })],
  [/^is too late$/, (label) => text("fault.endTooLate", { label })],
  [/^must be in the future$/, (label) => text("fault.endPassed", { label })],
  [/^must be an absolute http or https address$/, (label) => text("fault.webAddress", { label })],
  [/^must be an https address$/, (label) => text("fault.secureAddress", { label })],
  [/^must be https; http is for loopback alone:/, (label) => text("fault.secureRedirect", { label })],
  [/^must not carry credentials$/, (label) => text("fault.credentials", { label })],
  [/^must name a host$/, (label) => text("fault.host", { label })],
  [/^must have at least one address$/, (label) => text("fault.addresses", { label })],
  [/^must name at least one scope$/, (label) => text("fault.scopes", { label })],
  [/^must leave at least one scope required$/, (label) => text("fault.noneRequired", { label })],
  [
    /^must not name (\S+): it is not among the scopes of the app$/,
    (label, [scope = ""]) => text("fault.optionalElsewhere", { label, scope })
  ],
  [
    /^must not name (\S+): (\S+), which is required, includes it$/,
    (label, [scope = "", covering = ""]) => text("fault.optionalIncluded", { label, scope, covering })
  ],
  [/^must be an e-mail address or an https address$/, (label) => text("fault.contact", { label })]
]
