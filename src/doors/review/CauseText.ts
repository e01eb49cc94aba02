import type { Cause } from "../../core/clients/review/ReviewCheck.ts"
import { codePointOf, inQuotes } from "../../domain/Text.ts"
import type { Html } from "../../foundation/web/Html.ts"
import { type Message, text } from "../../foundation/web/Message.ts"

/** Cause of a check in a sentence; `listed` writes things that stand together in it. */
export const causeText = <A extends string | Html>(
  cause: Cause,
  listed: (items: ReadonlyArray<string>) => A
): Message<Readonly<Record<string, string | number | A>>> => {
  switch (cause.check) {
    case "hosts_differ":
      return text("check.hosts_differ", { home: cause.home, hosts: listed(cause.hosts) })
    case "name_in_styled_letters":
      return text("check.name_in_styled_letters", { letters: cause.letters })
    case "name_mixes_scripts":
      return text("check.name_mixes_scripts", { word: cause.word, letters: listed(cause.letters.map(named)) })
    case "name_of_product":
      return text("check.name_of_product")
    case "name_resembles":
      return cause.isApproved
        ? text("check.name_resembles", { total: cause.total })
        : text("check.name_resembles.notApproved", { total: cause.total })
    case "own_app":
      return text("check.own_app")
    case "owner_was_refused":
      return text("check.owner_was_refused", { total: cause.total })
    case "scheme_without_owner":
      return text("check.scheme_without_owner", { schemes: listed(cause.schemes) })
  }
}

// Looks do not tell which letter it is.
const named = (letter: string): string => `${inQuotes(letter)} (${codePointOf(letter)})`
