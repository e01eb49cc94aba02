import type { ScopeEntry } from "./CatalogueFile.ts"

/** Scopes that each one covers beside itself: those that it implies or stands for, and theirs in turn. */
export type Closure = ReadonlyMap<string, ReadonlySet<string>>

type Leads = Pick<ScopeEntry, "name" | "implies" | "retired">

/** Scopes to which one leads by itself. */
const direct = ({ implies = [], retired }: Omit<Leads, "name">): ReadonlyArray<string> => [
  ...implies,
  ...retired?.standsFor ?? []
]

/** Computed once of a catalogue, so that "covers" is one look-up. Circles, which a catalogue must not have, end. */
export const closure = (scopes: ReadonlyArray<Leads>): Closure => {
  const byName = new Map(scopes.map((scope) => [scope.name, scope]))
  const reach = (from: ReadonlyArray<string>, reached: Set<string>): Set<string> => {
    for (const name of from) {
      if (reached.has(name)) continue
      reached.add(name)
      reach(direct(byName.get(name) ?? {}), reached)
    }
    return reached
  }
  return new Map(scopes.map((scope) => [scope.name, reach(direct(scope), new Set())]))
}

/** Circles of scopes, each once, from a scope on the way back to itself: `a → b → a`. */
export const circles = (scopes: ReadonlyArray<Leads>): ReadonlyArray<ReadonlyArray<string>> => {
  const byName = new Map(scopes.map((scope) => [scope.name, scope]))
  const done = new Set<string>()
  const found: Array<ReadonlyArray<string>> = []
  const follow = (name: string, way: ReadonlyArray<string>): void => {
    const start = way.indexOf(name)
    if (start >= 0) return void found.push([...way.slice(start), name])
    if (done.has(name)) return
    for (const next of direct(byName.get(name) ?? {})) follow(next, [...way, name])
    done.add(name)
  }
  for (const { name } of scopes) follow(name, [])
  return found
}
