import { includesSegment, isWhole, matches, meetSegments, type Parameter, type Segment } from "./Segment.ts"
import type { Shape } from "./Template.ts"

/** Values by the shape of paths. */
export interface PathTrie<A> {
  readonly literals: Map<string, PathTrie<A>>
  /** Parameter that is a whole segment. */
  parameter: PathTrie<A> | undefined
  /** Value of the paths that end here. */
  value: A | undefined
  /** What few nodes have. */
  rare: Rare<A> | undefined
}

interface Rare<A> {
  /** Parameters with something around them, the more specific ones first. */
  affixed: ReadonlyArray<Affixed<A>>
  /** Value of the paths that go on from here. */
  tail: A | undefined
}

/** Parameters whose prefixes and suffixes have the same lengths, by both. */
interface Affixed<A> {
  readonly prefix: number
  readonly suffix: number
  readonly least: number
  readonly children: Map<string, Child<A>>
  /** Same children by shorter ends, by the lengths of these; made when they are asked for. */
  readonly byEnds: Map<string, ReadonlyMap<string, ReadonlyArray<Child<A>>>>
}

interface Child<A> {
  readonly segment: Parameter
  readonly node: PathTrie<A>
}

export const make = <A>(): PathTrie<A> => ({
  literals: new Map(),
  parameter: undefined,
  value: undefined,
  rare: undefined
})

/** Sets the value of a shape. */
export const insert = <A>(root: PathTrie<A>, { segments, tail }: Shape, value: A): void => {
  let at = root
  for (const segment of segments) at = childOf(at, segment)
  if (tail) rareOf(at).tail = value
  else at.value = value
}

/**
 * Value of the most specific shape that matches a path. There must be one for every meeting of two: then the first one
 * found is it.
 */
export const find = <A>(at: PathTrie<A>, path: ReadonlyArray<string>, index: number): A | undefined => {
  const text = path[index]
  if (text === undefined) return at.value
  const literal = at.literals.get(text)
  const found = literal === undefined ? undefined : find(literal, path, index + 1)
  if (found !== undefined) return found
  if (at.rare !== undefined) return findRare(at, at.rare, path, index)
  return at.parameter === undefined ? undefined : find(at.parameter, path, index + 1)
}

const findRare = <A>(
  at: PathTrie<A>,
  { affixed, tail }: Rare<A>,
  path: ReadonlyArray<string>,
  index: number
): A | undefined => {
  for (const { node } of affixedOf(affixed, path[index] ?? "")) {
    const found = find(node, path, index + 1)
    if (found !== undefined) return found
  }
  const found = at.parameter === undefined ? undefined : find(at.parameter, path, index + 1)
  return found === undefined ? tail : found
}

/** Values of the shapes that match every path of `shape`. */
export const including = <A>(root: PathTrie<A>, shape: Shape): ReadonlyArray<A> =>
  collect(root, shape, 0, includesSegment, [])

/** Values of the shapes that match any path of `shape`. */
export const meeting = <A>(root: PathTrie<A>, shape: Shape): ReadonlyArray<A> => collect(root, shape, 0, meets, [])

const meets = (one: Segment, other: Segment): boolean => meetSegments(one, other) !== undefined

const collect = <A>(
  at: PathTrie<A>,
  shape: Shape,
  index: number,
  isRelated: (one: Segment, other: Segment) => boolean,
  found: Array<A>
): ReadonlyArray<A> => {
  const segment = shape.segments[index]
  if (segment === undefined) {
    if (!shape.tail) return add(at.value, found)
    if (isRelated === meets) { for (const child of childrenOf(at)) addAll(child, found) }
    return add(at.rare?.tail, found)
  }
  add(at.rare?.tail, found)
  const go = (node: PathTrie<A>) => collect(node, shape, index + 1, isRelated, found)
  if (typeof segment === "string") {
    const literal = at.literals.get(segment)
    if (literal !== undefined) go(literal)
    if (at.rare !== undefined) { for (const { node } of affixedOf(at.rare.affixed, segment)) go(node) }
  } else {
    if (isRelated === meets) { for (const [text, node] of at.literals) if (matches(segment, text)) go(node) }
    for (const affixed of at.rare?.affixed ?? []) {
      for (const child of alike(affixed, segment)) if (isRelated(child.segment, segment)) go(child.node)
    }
  }
  if (at.parameter !== undefined) go(at.parameter)
  return found
}

const addAll = <A>(node: PathTrie<A>, found: Array<A>): void => {
  add(node.value, found)
  add(node.rare?.tail, found)
  for (const child of childrenOf(node)) addAll(child, found)
}

const add = <A>(value: A | undefined, found: Array<A>): ReadonlyArray<A> => {
  if (value !== undefined) found.push(value)
  return found
}

const childrenOf = <A>({ literals, parameter, rare }: PathTrie<A>): ReadonlyArray<PathTrie<A>> => [
  ...literals.values(),
  ...(rare?.affixed ?? []).flatMap(({ children }) => Array.from(children.values(), ({ node }) => node)),
  ...(parameter === undefined ? [] : [parameter])
]

/** Children whose ends are those of a parameter, as far as both go. */
const alike = <A>(
  { byEnds, children, ...kind }: Affixed<A>,
  { prefix, suffix }: Parameter
): ReadonlyArray<Child<A>> => {
  const [before, behind] = [Math.min(kind.prefix, prefix.length), Math.min(kind.suffix, suffix.length)]
  const ends = (one: Pick<Parameter, "prefix" | "suffix">) =>
    one.prefix.slice(0, before) + one.suffix.slice(one.suffix.length - behind)
  const lengths = `${before} ${behind}`
  const index = byEnds.get(lengths) ?? Map.groupBy(children.values(), ({ segment }) => ends(segment))
  byEnds.set(lengths, index)
  return index.get(ends({ prefix, suffix })) ?? []
}

/** Children with an affix that match a text, the more specific ones first. */
const affixedOf = <A>(affixed: ReadonlyArray<Affixed<A>>, text: string): ReadonlyArray<Child<A>> => {
  const found: Array<Child<A>> = []
  for (const { children, least, prefix, suffix } of affixed) {
    const child = text.length < least ? undefined : children.get(affixesOf(text, prefix, suffix))
    if (child !== undefined) found.push(child)
  }
  return found
}

const affixesOf = (text: string, prefix: number, suffix: number): string =>
  prefix === 0
    ? text.slice(text.length - suffix)
    : suffix === 0
    ? text.slice(0, prefix)
    : text.slice(0, prefix) + text.slice(text.length - suffix)

const childOf = <A>(at: PathTrie<A>, segment: Segment): PathTrie<A> => {
  if (isWhole(segment)) return at.parameter ??= make()
  if (typeof segment === "string") {
    const found = at.literals.get(segment) ?? make()
    at.literals.set(segment, found)
    return found
  }
  const { least, prefix, suffix } = segment
  const rare = rareOf(at)
  let affixed = rare.affixed.find((one) =>
    one.prefix === prefix.length && one.suffix === suffix.length && one.least === least
  )
  if (affixed === undefined) {
    affixed = { prefix: prefix.length, suffix: suffix.length, least, children: new Map(), byEnds: new Map() }
    // Of two, the one whose texts are all the other's, too, has the longer ends, or the same and more characters.
    rare.affixed = [...rare.affixed, affixed].sort((a, b) =>
      b.suffix - a.suffix || b.prefix - a.prefix || b.least - a.least
    )
  }
  const affixes = prefix + suffix
  const found = affixed.children.get(affixes) ?? { segment, node: make<A>() }
  affixed.children.set(affixes, found)
  affixed.byEnds.clear()
  return found.node
}

const rareOf = <A>(at: PathTrie<A>): Rare<A> => at.rare ??= { affixed: [], tail: undefined }
