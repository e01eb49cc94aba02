import type { Cause } from "../../core/clients/review/ReviewCheck.ts"
import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Topic } from "../../domain/catalogue/JudgedArea.ts"
import type { Danger } from "../../domain/catalogue/Judgement.ts"
import { allOf } from "../../domain/Listed.ts"
import { codePointOf, inQuotes } from "../../domain/Text.ts"
import { type Html, html } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { type Message, text } from "../../foundation/web/Message.ts"
import { dangerInEnglish, dangerText, topicsInEnglish, topicText } from "../parts/RiskText.ts"

/** How a sentence about a check writes what it names. */
export interface CauseWords<A extends string | Html> {
  /** Things that stand together. */
  readonly listed: (items: ReadonlyArray<string>) => A
  readonly topics: (topics: ReadonlyArray<Topic>) => A
  readonly danger: (danger: Danger) => A
}

/** Words of a page. */
export const onPage = (catalogue: Catalogue): CauseWords<Html> => ({
  listed: (items) => listText(items.map((item) => html`<code>${item}</code>`)),
  topics: (topics) => listText(topics.map(topicText)),
  danger: (danger) => dangerText(catalogue, danger)
})

/** Words for programs. */
export const forPrograms = (catalogue: Catalogue): CauseWords<string> => ({
  listed: allOf,
  topics: topicsInEnglish,
  danger: (danger) => dangerInEnglish(catalogue, danger)
})

/** Cause of a check in a sentence. */
export const causeText = <A extends string | Html>(
  cause: Cause,
  { danger, listed, topics }: CauseWords<A>
): Message<Readonly<Record<string, string | number | A>>> => {
  switch (cause.check) {
    case "hosts_differ":
      return text("check.hosts_differ", { home: cause.home, hosts: listed(cause.hosts) })
    case "mail_host_throwaway":
      return text("check.mail_host_throwaway", { hosts: listed(cause.hosts) })
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
    case "purpose_copied":
      return cause.others > 0
        ? text("check.purpose_copied", { total: cause.others })
        : text("check.purpose_copied.own", { total: cause.total })
    case "purpose_names_no_area":
      return text("check.purpose_names_no_area", { areas: topics(cause.areas) })
    case "purpose_short":
      return text("check.purpose_short", { words: cause.words, danger: danger(cause.danger) })
    case "scheme_without_owner":
      return text("check.scheme_without_owner", { schemes: listed(cause.schemes) })
    case "website_fails":
      return text("check.website_fails", { status: String(cause.status) })
    case "website_silent":
      return text(`check.website_silent.${cause.why}`)
  }
}

// Looks do not tell which letter it is.
const named = (letter: string): string => `${inQuotes(letter)} (${codePointOf(letter)})`
