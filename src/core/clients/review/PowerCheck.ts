import type { Catalogue } from "../../../domain/catalogue/Catalogue.ts"
import type { JudgedArea, Topic } from "../../../domain/catalogue/JudgedArea.ts"
import { judge } from "../../../domain/catalogue/Judgement.ts"
import type { Words } from "../../../domain/files/Words.ts"
import type { GrantedScopes, ScopeName } from "../../../domain/scopes/Scope.ts"
import { check } from "./ReviewCheck.ts"
import type { ReviewLook } from "./ReviewLook.ts"

/**
 * Holds the purpose of an app against what it may do, where that is much; `null` of an app which nobody
 * registered. All words are the catalogue's, in its languages: what other catalogues are about, or in which language an
 * owner writes, is not known here.
 */
export const powerLook = (catalogue: Catalogue, purpose: string | null, granted: GrantedScopes): ReviewLook => {
  const { areas, danger, risk } = judge(catalogue, granted)
  if (risk < 2 || danger === undefined) return { unseen: { of: "power", why: "low_risk", risk }, found: [] }
  if (purpose === null) return { unseen: { of: "power", why: "no_purpose" }, found: [] }
  const words = wordsOf(purpose)
  const changed = areas.filter(({ verbs }) => verbs.changes)
  const isNamed = changed.some((area) => namingWords(catalogue, area).some((name) => words.some(isFormOf(name))))
  return {
    seen: { of: "power", words: words.length },
    found: [
      ...(words.length < fewWords ? [check({ check: "purpose_short", words: words.length, danger })] : []),
      ...(changed.length > 0 && !isNamed ? [check({ check: "purpose_names_no_area", areas: changed })] : [])
    ]
  }
}

/** One plain sentence has as many: who needs it, what for, and whose data it changes. */
const fewWords = 12

// It splits languages that write no spaces by a dictionary, whatever the locale is.
const segmenter = new Intl.Segmenter("en", { granularity: "word" })

/** Words of a text, in small letters. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  Array.from(segmenter.segment(text.normalize("NFKC").toLowerCase()))
    .flatMap(({ isWordLike, segment }) => isWordLike === true ? [segment] : [])

/** Words of the area's title, and those with which the catalogue speaks of its scopes and of no others. */
const namingWords = (catalogue: Catalogue, area: JudgedArea): ReadonlyArray<string> => {
  const own = new Set(area.parts.flatMap(({ rights }) => rights.map(({ scope }) => scope)))
  const isOfArea = (name: ScopeName) => area.of === "area" ? catalogue.entry(name)?.area === area.id : own.has(name)
  const said = (names: ReadonlyArray<ScopeName>) => names.flatMap((name) => wordsAbout(catalogue, name))
  const elsewhere = new Set(said(catalogue.names.filter((name) => !isOfArea(name))))
  return [...titleWords(area), ...said(catalogue.names.filter(isOfArea)).filter((word) => !elsewhere.has(word))]
}

const titleWords = ({ title }: Topic) => textsOf(title).flatMap(wordsOf)

const wordsAbout = ({ entry }: Catalogue, name: ScopeName): ReadonlyArray<string> => {
  const known = entry(name)
  return known === undefined ? [] : [known.title, known.covers].flatMap(textsOf).flatMap(wordsOf)
}

const textsOf = (words: Words): ReadonlyArray<string> => typeof words === "string" ? [words] : Object.values(words)

/** Tells if two words differ by their ends alone, as "booking" and "bookings" do. */
const isFormOf = (name: string) => (word: string): boolean => {
  const stem = Math.max(4, Math.min(name.length, word.length) - 2)
  return word === name || name.length >= stem && word.slice(0, stem) === name.slice(0, stem)
}
