import { Predicate } from "effect"

/** A node of a parsed program. */
export type Node = Readonly<Record<string, unknown>>

export const is = (node: unknown, type: string): node is Node =>
  Predicate.hasProperty(node, "type") && node.type === type

/** Visits a node and all within it. */
export const visitNodes = (node: unknown, visit: (node: Node) => void): void => {
  if (Array.isArray(node)) node.forEach((one) => visitNodes(one, visit))
  else if (isNode(node)) {
    visit(node)
    visitNodes(Object.values(node), visit)
  }
}

const isNode = (node: unknown): node is Node => Predicate.isObject(node)
