import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { LevelEntry } from "../../domain/catalogue/file/CatalogueFile.ts"
import type { Risk } from "../../domain/catalogue/file/ScopeRisk.ts"
import type { Topic, Verbs } from "../../domain/catalogue/JudgedArea.ts"
import type { Danger, Judgement } from "../../domain/catalogue/Judgement.ts"
import { inLanguage, type Words } from "../../domain/files/Words.ts"
import { inQuotes } from "../../domain/Text.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"

// A judgement of scopes (`domain/catalogue/Judgement.ts`) in words.

/** What an app wants, as a sentence without a full stop, for a title: the riskiest things first. */
export const wantsText = (app: Phrase, { areas, everything }: Judgement): Html => {
  if (everything) return text("risk.wants.everything", { app })
  if (areas.length === 0) return text("risk.wants.nothing", { app })
  // A title with more names pushes what is dangerous out of the first screen of a phone.
  const named = areas.slice(0, areas.length > 2 ? 1 : 2)
  const count = areas.length - named.length
  // The title of a scope is no part of a sentence.
  const isSentence = named.every(({ of }) => of === "area")
  const wishes = listText([
    // How far it reaches is said below it, where it matters.
    ...named.map((area) => isSentence ? wishText(area.verbs, area) : quotedTopic(area)),
    ...(count === 0 ? [] : [text(isSentence ? "risk.wish.more" : "risk.wants.else.more", { count })])
  ])
  return text(isSentence ? "risk.wants" : "risk.wants.else", { app, wishes })
}

/** What an app may do, as one line: "Sees 2 · Changes 0 in your account · Changes 3 in your whole organization". */
export const summaryText = ({ changes, everything, sees, unknown }: Judgement): Html => {
  if (everything) return text("risk.summary.everything")
  // The first level is what is the user's own; that nothing of it changes is worth a word.
  const changing = changes.filter(({ areas }, at) => at === 0 || areas > 0)
  return html`${text("risk.summary.sees", { count: sees })}${
    changing.map(({ areas, level }) =>
      html` · ${text("risk.summary.changes", { count: areas, reach: reachText(level) })}`
    )
  }${unknown === 0 ? nothing : html` · ${text("risk.summary.unknown", { count: unknown })}`}`
}

/** The worst that an app may do, as a sentence. */
export const dangerText = ({ file }: Catalogue, { kind, reach: level, topics, verbs }: Danger): Html => {
  const reach = reachText(level)
  const areas = listText(topics.map(topicText))
  switch (kind) {
    case "everything":
      return text("risk.danger.everything", { what: wordsText(file.api.everything) })
    case "admits":
      return text("risk.danger.admits", { reach, removes: verbs.removes ? "yes" : "no" })
    case "forwards":
      return text("risk.danger.forwards", { reach })
    case "unknown":
      return text("risk.danger.unknown", { areas })
    default:
      return text(`risk.danger.of.${kind}`, { reach, areas })
  }
}

/** What a row is about: "Bookings", or the title of a scope that has no area, in quotes. */
export const topicText = ({ of, title }: Topic): Html => of === "area" ? wordsText(title) : quotedTopic({ title })

/** How far a row reaches, within a sentence or a cell: "your whole organization". */
export const reachText = (level: LevelEntry | undefined): Html =>
  level === undefined ? text("risk.reach.unknown") : wordsText(level.reach ?? level.title)

/** What an app may do about something: "see, change". */
export const verbsText = (verbs: Verbs): Html => text("risk.verbs", { verbs: kindOf(verbs) })

/** What an app may do about something, within a sentence: "see and change “Bookings”". */
export const wishText = (verbs: Verbs, topic: Pick<Topic, "title">): Html =>
  text("risk.wish", { verbs: kindOf(verbs), area: quotedTopic(topic) })

/** How much: "highest risk". */
export const riskText = (risk: Risk): Html => text("risk.level", { risk })

/** A title within a sentence, which it would else break with its capital. */
const quotedTopic = ({ title }: Pick<Topic, "title">): Html =>
  forReader(({ language }) => inQuotes(inLanguage(title, language.tag)))

const kindOf = ({ changes, removes, sees }: Verbs) =>
  !changes ? "see" : sees ? removes ? "seeAndRemove" : "seeAndChange" : removes ? "remove" : "change"

const wordsText = (words: Words): Html => forReader(({ language }) => inLanguage(words, language.tag))
