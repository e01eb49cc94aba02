import type { Endpoint } from "./EndpointList.ts"
import { closure } from "./Meetings.ts"
import * as PathTrie from "./PathTrie.ts"
import { fold, includes, key, meet, type Shape } from "./Template.ts"

/** Rules of a list, by the shapes of paths in lower case. */
export interface ShapeRules<Rule> {
  /** Rules of paths without a slash at their end. */
  readonly plain: PathTrie.PathTrie<Placed<Rule>>
  /** Rules of paths with one; absent where none is listed. */
  readonly slashed: PathTrie.PathTrie<Placed<Rule>> | undefined
  /** Some listed path has upper case. */
  readonly hasUpperCase: boolean
}

/**
 * A rule with the shape of its paths as the list writes them. There is neither where routers that ignore case find
 * operations which others never find together.
 */
export type Placed<Rule> =
  | { readonly rule: Rule; readonly shape: Shape }
  | { readonly rule: undefined; readonly shape: undefined }

/** Place of a list: a shape that an operation has, or on which several meet. */
export interface Place {
  readonly shape: Shape
  readonly slash: boolean
  /** Operation that has the shape. */
  readonly listed: Endpoint | undefined
  /** Most specific ones: those that a router may take that tells a slash at the end, or one that does not. */
  readonly candidates: ReadonlyArray<Endpoint>
}

/** Asks for the rule of each place of a list; `undefined` if it has too many of them. */
export const compile = <Rule>(
  endpoints: ReadonlyArray<Endpoint>,
  ruleOf: (place: Place) => Rule
): ShapeRules<Rule> | undefined => {
  const entries = endpoints.map((endpoint, at): Entry => ({ endpoint, shape: fold(endpoint.template), at }))
  const listed = Map.groupBy(entries, ({ shape }) => key(shape))
  const shapes = closure(entries.map(({ shape }) => shape))
  if (shapes === undefined) return undefined
  const index = PathTrie.make<ReadonlyArray<Entry>>()
  for (const [id, group] of listed) {
    const shape = shapes.get(id)
    if (shape !== undefined) PathTrie.insert(index, shape, group)
  }

  const [plain, slashed] = [PathTrie.make<Placed<Rule>>(), PathTrie.make<Placed<Rule>>()]
  for (const [id, lower] of shapes) {
    const all = inOrder(PathTrie.including(index, lower).flat())
    for (const slash of [false, true]) {
      const matching = all.filter(({ endpoint }) => endpoint.template.slash === slash)
      if (matching.length === 0) continue
      const closest = mostSpecific(matching)
      const candidates = matching.length === all.length ? closest : inOrder([...closest, ...mostSpecific(all)])
      const shape = meetingOf(candidates)
      const own = listed.get(id)?.find(({ endpoint }) => endpoint.template.slash === slash)
      PathTrie.insert(
        slash ? slashed : plain,
        lower,
        shape === undefined ? nowhere : {
          shape,
          rule: ruleOf({
            shape,
            slash,
            listed: own?.endpoint,
            candidates: candidates.map(({ endpoint }) => endpoint)
          })
        }
      )
    }
  }
  return {
    plain,
    slashed: endpoints.some(({ template }) => template.slash) ? slashed : undefined,
    hasUpperCase: entries.some(({ endpoint, shape }) => key(endpoint.template) !== key(shape))
  }
}

const nowhere = { rule: undefined, shape: undefined }

/** An operation, by its shape in lower case and its place in the list. */
interface Entry {
  readonly endpoint: Endpoint
  readonly shape: Shape
  readonly at: number
}

const meetingOf = (entries: ReadonlyArray<Entry>): Shape | undefined => {
  let shape: Shape | undefined
  for (const { endpoint } of entries) {
    shape = shape === undefined ? endpoint.template : meet(shape, endpoint.template)
    if (shape === undefined) return undefined
  }
  return shape
}

const mostSpecific = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.length === 1 ?
    entries :
    entries.filter(({ shape }) =>
      !entries.some((other) => includes(shape, other.shape) && !includes(other.shape, shape))
    )

const inOrder = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.length === 1 ? entries : [...new Set(entries)].sort((one, other) => one.at - other.at)
