import { type Finding, proposer } from "../../files/FileProblem.ts"
import type { Words } from "../../files/Words.ts"
import type { ScopeEntry } from "./CatalogueFile.ts"
import type { Entries } from "./CatalogueShape.ts"
import { isOpen } from "./CatalogueWarnings.ts"
import { circles, closure } from "./Implications.ts"
import { faultsOf, type Mention } from "./ScopeMentions.ts"

/** Rules of levels and scopes, and of all that names scopes, but for the operations. */
export const scopeRules = (entries: Entries): ReadonlyArray<Finding> => [
  ...twins("levels", "id", entries.levels.map((level) => level?.id)),
  ...twins("areas", "id", entries.areas.map((area) => area?.id)),
  ...twins("scopes", "name", entries.scopes.map((scope) => scope?.name)),
  ...levels(entries),
  ...places(entries),
  ...idle(entries),
  ...titles("areas", entries.areas),
  ...titles("scopes", entries.scopes),
  ...faultsOf(mentions(entries), entries),
  ...inCircles(entries.scopes),
  ...replacements(entries)
]

/** Names that an earlier entry has, but for case: some people and some programs do not tell those apart. */
const twins = (list: string, key: string, names: ReadonlyArray<string | undefined>): ReadonlyArray<Finding> => {
  const named = names.flatMap((name, at) => name === undefined ? [] : [{ name, at }])
  return repeated(named, ({ name }) => name.toLowerCase()).map(({ earlier, later: { at, name } }) => ({
    place: [list, at, key],
    problem: earlier.name === name
      ? `"${name}" is the ${key} of ${list}[${earlier.at}] already`
      : `"${name}" differs from "${earlier.name}" of ${list}[${earlier.at}] by case alone`
  }))
}

const levels = ({ levels }: Entries): ReadonlyArray<Finding> =>
  levels.flatMap((level, at) => level?.id === "unknown" ? [{ place: ["levels", at, "id"], problem: reserved }] : [])

/** Levels and areas of scopes that the file has not. */
const places = ({ areaIds, levelIds, scopes }: Entries): ReadonlyArray<Finding> => {
  const known = { level: levelIds, area: areaIds }
  const propose = { level: proposer(levelIds), area: proposer(areaIds) }
  return scopes.flatMap((scope, at) =>
    (["level", "area"] as const).flatMap((key) => {
      const id = scope?.[key]
      return id === undefined || known[key].has(id)
        ? []
        : [{ place: ["scopes", at, key], problem: `"${id}" is no ${key} here.${propose[key](id)}` }]
    })
  )
}

/** What only a scope that writes can do. */
const idle = ({ scopes }: Entries): ReadonlyArray<Finding> =>
  scopes.flatMap((scope, at) =>
    (["admits", "forwards"] as const).flatMap((key) =>
      scope?.access === "read" && scope[key] === true
        ? [{ place: ["scopes", at, key], problem: "is what only a scope that writes can do" }]
        : []
    )
  )

const reserved = "\"unknown\" is the level of scopes that a catalogue does not know"

/** Entries with one title in a language: a user could not tell what each is. */
const titles = (
  list: string,
  entries: ReadonlyArray<{ readonly title: Words } | undefined>
): ReadonlyArray<Finding> => {
  // A catalogue that is begun has many texts that are open.
  const titled = entries.flatMap((entry, at) =>
    entry === undefined ?
      [] :
      byLanguage(entry.title).flatMap(([language, title]) =>
        isOpen(title) ? [] : [{ key: `${language.toLowerCase()} ${title}`, title, at }]
      )
  )
  return repeated(titled, ({ key }) => key).map(({ earlier, later: { at, title } }) => ({
    place: [list, at, "title"],
    problem: `"${title}" is the title of ${list}[${earlier.at}] already`
  }))
}

/** Those with a key that another one before them has, with the first of these. */
const repeated = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => string) => {
  const first = new Map<string, A>()
  return all.flatMap((later) => {
    const earlier = first.get(keyOf(later))
    if (earlier === undefined) first.set(keyOf(later), later)
    return earlier === undefined ? [] : [{ earlier, later }]
  })
}

const byLanguage = (words: Words) => typeof words === "string" ? [["en", words] as const] : Object.entries(words)

const mentions = ({ profile, samples, scopes }: Entries): ReadonlyArray<Mention> => [
  ...scopes.flatMap((scope, at) => [
    { place: ["scopes", at, "implies"], names: scope?.implies, mayBeRetired: true },
    { place: ["scopes", at, "retired", "standsFor"], names: scope?.retired?.standsFor, mayBeRetired: true }
  ]),
  { place: ["profile", "scope"], names: profile?.scope, mayBeRetired: false },
  { place: ["samples", "demo"], names: samples?.demo, mayBeRetired: false },
  { place: ["samples", "tests"], names: samples?.tests, mayBeRetired: false }
]

/** Circles, each at the list that closes it. */
const inCircles = (scopes: Entries["scopes"]): ReadonlyArray<Finding> =>
  circles(inShape(scopes)).map((circle) => {
    const [last = "", first = ""] = circle.slice(-2)
    const implying = scopes.findIndex((scope) => scope?.name === last && scope.implies?.includes(first))
    const retired = scopes.findIndex((scope) => scope?.name === last && scope.retired?.standsFor?.includes(first))
    return {
      place: implying < 0 ? ["scopes", retired, "retired", "standsFor"] : ["scopes", implying, "implies"],
      problem: `${circle.join(" → ")} go round in a circle`
    }
  })

const inShape = (scopes: Entries["scopes"]): ReadonlyArray<ScopeEntry> => scopes.filter((scope) => scope !== undefined)

/**
 * What a retired scope stands for must not reach farther than it did: another level, a right to write or to remove.
 * Which operations it covered is not in the file any more; a comparison with the catalogue in force knows it.
 */
const replacements = ({ scopes }: Entries): ReadonlyArray<Finding> => {
  const byName = new Map(inShape(scopes).map((scope) => [scope.name, scope]))
  const covered = closure(inShape(scopes))
  const reach = (names: Iterable<string>) => {
    const reached = [...new Set([...names].flatMap((name) => [name, ...covered.get(name) ?? []]))]
    return reached.flatMap((name) => byName.get(name) ?? [])
  }
  return scopes.flatMap((scope, at) => {
    if (scope?.retired === undefined) return []
    const before = [scope, ...reach(scope.implies ?? [])]
    return (scope.retired.standsFor ?? []).flatMap((name, position) => {
      const wider = reach([name]).find((other) => !before.includes(other) && excess(before, other) !== undefined)
      return wider === undefined ? [] : [{
        place: ["scopes", at, "retired", "standsFor", position],
        problem: `"${wider.name}" ${excess(before, wider)}, which "${scope.name}" did not`
      }]
    })
  })
}

const excess = (before: ReadonlyArray<ScopeEntry>, after: ScopeEntry): string | undefined => {
  if (before.every(({ level }) => level !== after.level)) return `reaches the level "${after.level}"`
  if (after.access === "write" && before.every(({ access }) => access !== "write")) return "writes"
  return after.removes === true && before.every(({ removes }) => removes !== true) ? "removes" : undefined
}
