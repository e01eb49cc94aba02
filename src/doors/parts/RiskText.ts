import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Risk } from "../../domain/catalogue/file/ScopeRisk.ts"
import type { JudgedArea, Reach, Topic, Verbs } from "../../domain/catalogue/JudgedArea.ts"
import type { Danger, Judgement } from "../../domain/catalogue/Judgement.ts"
import { inEnglish as wordsInEnglish, inLanguage, type Words } from "../../domain/files/Words.ts"
import { allOf } from "../../domain/Listed.ts"
import { inQuotes } from "../../domain/Text.ts"
import { forReader, type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { inEnglish, type Message, text } from "../../foundation/web/Message.ts"

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
    ...(isSentence ? wishTexts(named) : named.map(quotedTopic)),
    ...(count === 0 ? [] : [text(isSentence ? "risk.wish.more" : "risk.wants.else.more", { count })])
  ])
  return text(isSentence ? "risk.wants" : "risk.wants.else", { app, wishes })
}

/** What an app may do, as one line: "Sees 2 · Changes 0 in your account · Changes 3 in your whole organization". */
export const summaryText = ({ changes, everything, sees, unknown }: Judgement): Html => {
  if (everything) return text("risk.summary.everything")
  // The first level is what is the user's own; that nothing of it changes is worth a word.
  const changing = changes.filter(({ areas }, at) => at === 0 || areas > 0)
  return html`${
    [
      ...(sees === 0 ? [] : [text("risk.summary.sees", { count: sees })]),
      ...changing.map(({ areas, level }) => text("risk.summary.changes", { count: areas, reach: reachText(level) })),
      ...(unknown === 0 ? [] : [text("risk.summary.unknown", { count: unknown })])
    ].map((part, at) => at === 0 ? part : html` · ${part}`)
  }`
}

/** The worst that an app may do, as a sentence. */
export const dangerText = (catalogue: Catalogue, danger: Danger): Html =>
  dangerMessage(danger, {
    reach: reachText(danger.reach),
    areas: listText(danger.topics.map(topicText)),
    what: wordsText(catalogue.file.api.everything)
  })

/** Same in English, for programs. */
export const dangerInEnglish = ({ file }: Catalogue, danger: Danger): string =>
  inEnglish(dangerMessage(danger, {
    reach: danger.reach === undefined
      ? inEnglish(text("risk.reach.unknown"))
      : wordsInEnglish(danger.reach.reach ?? danger.reach.title),
    areas: topicsInEnglish(danger.topics),
    what: wordsInEnglish(file.api.everything)
  }))

/** What rows are about, in English. */
export const topicsInEnglish = (topics: ReadonlyArray<Topic>): string =>
  allOf(topics.map(({ of, title }) => of === "area" ? wordsInEnglish(title) : inQuotes(wordsInEnglish(title))))

const dangerMessage = <A extends string | Html>(
  { kind, verbs }: Danger,
  { areas, reach, what }: Readonly<Record<"areas" | "reach" | "what", A>>
): Message<Readonly<Record<string, string | A>>> => {
  switch (kind) {
    case "everything":
      return text("risk.danger.everything", { what })
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

/** How far a row reaches, within a sentence or a cell: "your whole organization", "your whole organization (Acme)". */
export const reachText = (level: Reach | undefined): Html => {
  if (level === undefined) return text("risk.reach.unknown")
  const reach = wordsText(level.reach ?? level.title)
  const { organization } = level
  return organization === undefined
    ? reach
    : text("risk.reach.named", { reach, name: html`<bdi>${organization}</bdi>` })
}

/** What an app may do about something: "see, change". */
export const verbsText = (verbs: Verbs): Html => text("risk.verbs", { verbs: kindOf(verbs) })

/** What an app may do about something, within a sentence: "see and change “Bookings”". */
export const wishText = (verbs: Verbs, topics: ReadonlyArray<Pick<Topic, "title">>): Html =>
  text("risk.wish", { verbs: kindOf(verbs), area: listText(topics.map(quotedTopic)) })

/** How much: "highest risk". */
export const riskText = (risk: Risk): Html => text("risk.level", { risk })

/** A title within a sentence, which it would else break with its capital. */
const quotedTopic = ({ title }: Pick<Topic, "title">): Html =>
  forReader(({ language }) => inQuotes(inLanguage(title, language.tag)))

// How far it reaches is said below it, where it matters.
const wishTexts = (areas: ReadonlyArray<JudgedArea>): ReadonlyArray<Html> =>
  Array.from(
    Map.groupBy(areas, ({ verbs }) => kindOf(verbs)).values(),
    (same) => same.slice(0, 1).map(({ verbs }) => wishText(verbs, same))
  ).flat()

const kindOf = ({ changes, removes, sees }: Verbs) =>
  !changes ? "see" : sees ? removes ? "seeAndRemove" : "seeAndChange" : removes ? "remove" : "change"

const wordsText = (words: Words): Html => forReader(({ language }) => inLanguage(words, language.tag))
