import * as PathTrie from "./PathTrie.ts"
import { key, meet, type Shape } from "./Template.ts"

/** Shapes, and all shapes on which any number of them meet, by their keys; `undefined` when those are too many. */
export const closure = (shapes: ReadonlyArray<Shape>): ReadonlyMap<string, Shape> | undefined => {
  const known = new Map<string, Shape>()
  const listed = PathTrie.make<Shape>()
  for (const shape of shapes) {
    known.set(key(shape), shape)
    if (hasParameter(shape)) PathTrie.insert(listed, shape, shape)
  }
  const most = known.size + mostMeetings
  // A meeting becomes the last one of the map, so this comes to it, too, and finds the meetings of more than two.
  for (const shape of known.values()) {
    if (!hasParameter(shape)) continue
    for (const other of PathTrie.meeting(listed, shape)) {
      const both = meet(shape, other)
      if (both !== undefined && !known.has(key(both))) known.set(key(both), both)
    }
    if (known.size > most) return undefined
  }
  return known
}

const mostMeetings = 20_000

/** What has no parameter meets others on nothing but itself. */
const hasParameter = ({ segments, tail }: Shape): boolean =>
  tail || segments.some((segment) => typeof segment !== "string")
