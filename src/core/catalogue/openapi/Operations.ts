import { Option, Predicate, Schema } from "effect"
import { Method } from "../../../domain/operations/EndpointList.ts"
import { type BasePath, basePath } from "./BasePath.ts"
import { type Members, membersOf, type OpenApiDocument } from "./OpenApiDocument.ts"
import type { Problem } from "./Problem.ts"
import { follow } from "./References.ts"

/** An operation of the document. */
export interface Operation {
  readonly method: Method
  /** Path as requests have it, below the base path of the operation's server. */
  readonly path: string
  readonly keys: ReadonlyArray<string>
  /** Method and path as the document has them. */
  readonly place: string
  /** Its security requirements, or the document's; `undefined` where neither has any. */
  readonly security: unknown
}

interface Found {
  readonly operations: ReadonlyArray<Operation>
  readonly problems: ReadonlyArray<Problem>
}

/**
 * All operations of the document, each either here or among the problems. `HEAD` and `OPTIONS` follow from the others.
 * With a prefix, a base path without a slash at its end, servers are not looked at.
 */
export const operationsOf = ({ root }: OpenApiDocument, prefix: string | undefined): Found => {
  const operations: Array<Operation> = []
  const problems: Array<Problem> = []
  const bases = new Map<unknown, BasePath>()

  /** Base path of a list of servers. What is wrong with it is said once, wherever the list is used. */
  const baseOf = (servers: unknown, keys: ReadonlyArray<string>): string => {
    if (prefix !== undefined) return prefix
    const base = bases.get(servers) ?? basePath(servers)
    if (base.problem !== undefined && !bases.has(servers)) {
      problems.push({ keys, place: keys.join(" "), problem: base.problem })
    }
    bases.set(servers, base)
    return base.path
  }

  const addItem = (template: string, keys: ReadonlyArray<string>, item: Members) => {
    for (const { keys: own, method, value } of entriesOf(item)) {
      const place = `${method.toUpperCase()} ${template}`
      const at = [...keys, ...own]
      const add = (problem: string) => problems.push({ keys: at, place, problem })
      const known = decodeMethod(method.toUpperCase())
      if (Option.isNone(known)) {
        if (method === "head" && item["get"] === undefined) add("HEAD follows from GET, which this path does not have")
        else if (!following.has(method)) add(`the catalogue has no method ${method.toUpperCase()}`)
        continue
      }
      const operation = own.length === 1 && method === method.toLowerCase() ? follow(root, value) : "it is no method"
      if (typeof operation === "string") {
        add(`the operation cannot be read: ${operation}`)
        continue
      }
      const [servers, serverKeys] = operation["servers"] !== undefined
        ? [operation["servers"], [...at, "servers"]]
        : item["servers"] !== undefined
        ? [item["servers"], [...keys, "servers"]]
        : [root["servers"], ["servers"]]
      operations.push({
        method: known.value,
        path: baseOf(servers, serverKeys) + template,
        keys: at,
        place,
        // What is empty is not left out: nobody knows what it means.
        security: operation["security"] === undefined ? root["security"] : operation["security"]
      })
    }
  }

  const paths = follow(root, root["paths"] ?? {})
  if (typeof paths === "string") problems.push({ keys: ["paths"], place: "paths", problem: `cannot be read: ${paths}` })
  for (const [template, value] of Object.entries(membersOf(paths))) {
    if (template.startsWith("x-")) continue
    const keys = ["paths", template]
    const item = follow(root, value)
    if (typeof item === "string") problems.push({ keys, place: template, problem: `the path cannot be read: ${item}` })
    else addItem(template, keys, item)
  }
  if (operations.length + problems.length === 0) {
    problems.push({ keys: ["paths"], place: "the document", problem: "it has no operation" })
  }
  return { operations, problems }
}

/** Members of a path item that are operations, or claim to be; OpenAPI 3.2 has other methods one level below. */
const entriesOf = (item: Members) =>
  Object.entries(item).flatMap(([name, value]) =>
    name === "additionalOperations" && Predicate.isReadonlyObject(value)
      ? Object.entries(value).map(([method, value]) => ({ keys: [name, method], method, value }))
      : name.startsWith("x-") || beside.has(name)
      ? []
      : [{ keys: [name], method: name, value }]
  )

const beside: ReadonlySet<string> = new Set(["description", "parameters", "servers", "summary"])

const following: ReadonlySet<string> = new Set(["head", "options"])

const decodeMethod = Schema.decodeUnknownOption(Method)
