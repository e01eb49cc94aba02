import { Context, type Order, Result } from "effect"
import { inEnglish, inLanguage } from "../files/Words.ts"
import { check } from "../operations/EndpointList.ts"
import { compile, type Policy } from "../operations/Policy.ts"
import type { GrantedScopes, Scope, ScopeName } from "../scopes/Scope.ts"
import { builtInFile } from "./BuiltIn.ts"
import { type Description, type Group, ofUnknown } from "./Description.ts"
import type { CatalogueFile, ScopeEntry } from "./file/CatalogueFile.ts"
import type { CheckedCatalogue } from "./file/CatalogueRules.ts"
import { closure } from "./file/Implications.ts"
import { byRisk, isAnother, type Risk, riskOf } from "./file/ScopeRisk.ts"
import { formOf } from "./NameForm.ts"

/**
 * Scopes and operations of the platform's API, for all that is built above. The setting `CATALOGUE` comes in with
 * `AppConfig.layer`; a program that says nothing has the catalogue of the specification.
 */
export const Catalogue = Context.Reference<Catalogue>("slotkey/domain/catalogue/Catalogue", {
  defaultValue: () => make(builtInFile())
})

/** A catalogue whose questions are look-ups. It never changes. */
export interface Catalogue {
  readonly file: CatalogueFile
  /** Scope that each operation needs. It is compiled when it is first asked for, unless a check has compiled it. */
  readonly policy: Policy
  /** Words for the API and what is behind it. */
  readonly api: { readonly name: string; readonly account: string; readonly everything: string }
  /** All scopes in catalogue order, the order in which answers list them. */
  readonly names: ReadonlyArray<Scope>
  /** Same without those that are retired or will be, which new apps had better not begin with. */
  readonly lasting: ReadonlyArray<Scope>
  /** Scope that reading the profile needs (specification §4.4). */
  readonly profileScope: Scope
  readonly samples: { readonly demo: ReadonlyArray<Scope>; readonly tests: ReadonlyArray<Scope> }
  /** Form of most names; a word that has it, too, and is none is probably mistyped. */
  readonly nameForm: RegExp
  isScope(name: string): name is Scope
  /** Reads scopes separated by spaces, commas or both; duplicates collapse. Fails with the names outside. */
  parse(text: string): Result.Result<ReadonlyArray<Scope>, ReadonlyArray<string>>
  /** Scopes that a text names, in catalogue order, and the words in it that are none. */
  named(text: string): { readonly scopes: ReadonlyArray<Scope>; readonly words: ReadonlyArray<string> }
  /** Scopes separated by single spaces, in catalogue order (specification §2.2). */
  format(scopes: Iterable<ScopeName>): string
  /** Same scopes without duplicates, in catalogue order; behind them those that it does not know. */
  inOrder(scopes: Iterable<ScopeName>): ReadonlyArray<ScopeName>
  /** Names that the catalogue does not know, by the alphabet. */
  unknownOf(scopes: Iterable<ScopeName>): ReadonlyArray<ScopeName>
  /** Tests if the granted scopes cover `needed`: by name, or by a scope that includes it (specification §2.3). */
  covers(granted: GrantedScopes, needed: ScopeName): boolean
  /** Wider scopes, each of which suffices in the place of this one. */
  wider(scope: ScopeName): ReadonlyArray<Scope>
  /** Narrower scopes that this one includes. */
  included(scope: ScopeName): ReadonlyArray<Scope>
  /** Scopes by which these let an app do things: those that come along as well, and none that is part of another. */
  rights(scopes: Iterable<ScopeName>): ReadonlyArray<ScopeName>
  /** Those of the rights that are not among these, but come with some of them: people have to read of them, too. */
  alsoGranted(scopes: Iterable<ScopeName>): ReadonlyArray<Scope>
  /** Tests if a scope lets an app change something. */
  isWrite(scope: ScopeName): boolean
  /** What the file says of a scope. */
  entry(scope: ScopeName): ScopeEntry | undefined
  readonly riskOf: (scope: ScopeName) => Risk
  /** Orders scopes by what they let an app do, the least risky first. */
  readonly byRisk: Order.Order<ScopeName>
  /** Tells if a change that adds this scope is reviewed, whatever the app. */
  isReviewedAlways(scope: ScopeName): boolean
  /** Days of a scope that is retired or will be, and what stands for it (`Retirement`). */
  retirement(scope: ScopeName): ScopeEntry["retired"]
  /** A scope in plain words, in English or in another language that the catalogue has. */
  describe(scope: ScopeName, language?: string): Description
  /** Scopes as a page lists them: by level, without levels that have none. */
  grouped(scopes: Iterable<ScopeName>, language?: string): ReadonlyArray<Group>
}

/** Compiles a file that keeps the rules of its format, but for what was compiled when these were checked. */
export const make = (
  file: CatalogueFile,
  { closure: included = closure(file.scopes), policy: compiled }: Partial<CheckedCatalogue> = {}
): Catalogue => {
  const entries = new Map(file.scopes.map((entry, place) => [entry.name, { ...entry, place }]))
  const isScope = (name: string): name is Scope => entries.has(name)
  const names = file.scopes.map(({ name }) => name).filter(isScope)
  const wider = new Map<string, ReadonlyArray<Scope>>(
    names.map((narrower) => [narrower, names.filter((name) => included.get(name)?.has(narrower) === true)])
  )
  const alwaysReviewed = new Set(file.levels.flatMap(({ id, reviewAlways = false }) => reviewAlways ? [id] : []))

  const named: Catalogue["named"] = (text) => {
    const words = new Set(text.split(/[ ,]+/).filter((word) => word !== ""))
    return { scopes: names.filter((scope) => words.has(scope)), words: [...words].filter((word) => !isScope(word)) }
  }

  const placeOf = (scope: ScopeName = ""): number => entries.get(scope)?.place ?? -1
  const isInOrder = (scopes: ReadonlyArray<ScopeName>): boolean =>
    scopes.every((scope, at) => placeOf(scopes[at - 1]) < placeOf(scope))

  const unknownOf: Catalogue["unknownOf"] = (scopes) => [...new Set(scopes)].filter((name) => !isScope(name)).sort()

  const inOrder: Catalogue["inOrder"] = (scopes) => {
    const listed = [...scopes]
    return isInOrder(listed) ? listed : [...names.filter((scope) => listed.includes(scope)), ...unknownOf(listed)]
  }

  const isWrite = (scope: ScopeName): boolean => entries.get(scope)?.access === "write"

  const differs = isAnother(file.levels)
  const rights: Catalogue["rights"] = (scopes) => {
    const all = new Set([...scopes].flatMap((scope) => [scope, ...included.get(scope) ?? []]))
    const held = [...all].flatMap((scope) => entries.get(scope) ?? [])
    const isPart = (scope: ScopeName) => {
      const entry = entries.get(scope)
      return entry !== undefined &&
        held.some((other) => included.get(other.name)?.has(scope) === true && !differs(entry, other))
    }
    return inOrder(all).filter((scope) => !isPart(scope))
  }

  const order = byRisk(file.scopes, file.levels)
  let policy = compiled

  return {
    file,
    get policy() {
      policy ??= Result.getOrThrow(
        Result.flatMap(check(file.operations, { isScope, byRisk: order }, (index) => index), compile)
      )
      return policy
    },
    api: {
      name: inEnglish(file.api.name),
      account: inEnglish(file.api.account),
      everything: inEnglish(file.api.everything)
    },
    names,
    lasting: names.filter((scope) => entries.get(scope)?.retired === undefined),
    profileScope: names[placeOf(file.profile.scope)] ?? missing(file.profile.scope),
    samples: { demo: file.samples.demo.filter(isScope), tests: file.samples.tests.filter(isScope) },
    nameForm: formOf(names),
    isScope,
    named,
    parse: (text) => {
      const { scopes, words } = named(text)
      return words.length > 0 ? Result.fail(words) : Result.succeed(scopes)
    },
    format: (scopes) => inOrder(scopes).join(" "),
    inOrder,
    unknownOf,
    covers: (granted, needed) =>
      granted === null || granted.includes(needed) ||
      (wider.get(needed)?.some((scope) => granted.includes(scope)) ?? false),
    wider: (scope) => wider.get(scope) ?? [],
    included: (scope) => names.filter((name) => included.get(scope)?.has(name) === true),
    rights,
    alsoGranted: (scopes) => {
      const given = new Set(scopes)
      return rights(given).filter(isScope).filter((scope) => !given.has(scope))
    },
    entry: (scope) => entries.get(scope),
    isWrite,
    riskOf: riskOf(file.scopes, file.levels),
    byRisk: order,
    isReviewedAlways: (scope) => {
      const entry = entries.get(scope)
      return entry === undefined || alwaysReviewed.has(entry.level)
    },
    retirement: (scope) => entries.get(scope)?.retired,
    describe: (scope, language = "en") => {
      const entry = entries.get(scope)
      return entry === undefined
        ? ofUnknown(scope)
        : { title: inLanguage(entry.title, language), covers: inLanguage(entry.covers, language) }
    },
    grouped: (scopes, language = "en") => {
      const chosen = new Set(scopes)
      const known = file.levels.flatMap(({ id, title }) => {
        const here = names.filter((scope) => chosen.has(scope) && entries.get(scope)?.level === id)
        if (here.length === 0) return []
        const reads = here.filter((scope) => !isWrite(scope))
        return [{ level: id, title: inLanguage(title, language), reads, writes: here.filter(isWrite) }]
      })
      // The release that knows them may let an app change something by them.
      const writes = unknownOf(chosen)
      return writes.length === 0 ? known : [...known, { level: "unknown", title: "Unknown", reads: [], writes }]
    }
  }
}

/** Catalogue of the specification, for plain functions of the library that were given none. */
export const builtIn = (): Catalogue => Context.get(Context.empty(), Catalogue)

const missing = (scope: string): never => {
  throw new Error(`the catalogue has no scope ${scope}`)
}
