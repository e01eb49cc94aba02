import type { Endpoint } from "../../../src/domain/scopes/EndpointList.ts"
import { Requirement, stricter } from "../../../src/domain/scopes/Requirement.ts"

/** Policy in its simplest and slowest form, to which the property tests compare the real one. */
export const match = (endpoints: ReadonlyArray<Endpoint>, method: string, target: string): Requirement => {
  const path = decodeOnce(target.split("?")[0] ?? "")
  if (method === "OPTIONS") return preflight(endpoints, path)
  const listed = endpoints.filter((endpoint) => endpoint.method === (method === "HEAD" ? "GET" : method))
  if (path === undefined) return listed.length === 0 ? closed("unlisted") : closed("malformed")
  const exact = closest(listed, path)
  const folded = closest(listed, path.map((segment) => segment.toLowerCase()))
  return exact.length === folded.length && exact.every((endpoint) => folded.includes(endpoint))
    ? strictest(exact)
    : closed("malformed")
}

const closed = (reason: "closed" | "unlisted" | "malformed") => Requirement.Closed({ reason })

const decodeOnce = (path: string): ReadonlyArray<string> | undefined => {
  const [before, ...segments] = path.split("/")
  if (before !== "" || segments.length === 0) return undefined
  const allowed = /^[A-Za-z0-9._~!$&'()*+,=:@%-]+$/
  try {
    const decoded = segments.map((segment) => decodeURIComponent(segment))
    const unambiguous = decoded.every((segment) =>
      segment !== "" && segment !== "." && segment !== ".." &&
      !["/", "\\", ";"].some((character) => segment.includes(character)) &&
      ![...segment].some((character) => character < " " || character === "\u007f") &&
      !/%[0-9a-fA-F][0-9a-fA-F]/.test(segment)
    )
    return unambiguous && segments.every((segment) => allowed.test(segment)) ? decoded : undefined
  } catch {
    return undefined
  }
}

const matches = (endpoint: Endpoint, path: ReadonlyArray<string>): boolean => {
  const listed = endpoint.path.split("/").slice(1)
  return listed.length === path.length &&
    listed.every((segment, index) => segment.startsWith("{") || segment === path[index])
}

/** Matching ones, without those that match only because one of the others does. */
const closest = (endpoints: ReadonlyArray<Endpoint>, path: ReadonlyArray<string>): ReadonlyArray<Endpoint> => {
  const matching = endpoints.filter((endpoint) => matches(endpoint, path))
  const literals = (endpoint: Endpoint) =>
    endpoint.path.split("/").flatMap((segment, index) => segment.startsWith("{") ? [] : [index])
  return matching.filter((endpoint) =>
    !matching.some((other) =>
      other !== endpoint && literals(endpoint).every((index) => literals(other).includes(index))
    )
  )
}

const strictest = (endpoints: ReadonlyArray<Endpoint>): Requirement => {
  const [first, ...others] = endpoints.map((endpoint) => endpoint.requirement)
  if (first === undefined) return closed("unlisted")
  return others.reduce((one, other) => stricter(one, other) ?? closed("closed"), first)
}

const preflight = (endpoints: ReadonlyArray<Endpoint>, path: ReadonlyArray<string> | undefined): Requirement => {
  if (path === undefined) return closed("malformed")
  const open = (segments: ReadonlyArray<string>) => endpoints.filter((endpoint) => matches(endpoint, segments))
  const exact = open(path)
  const folded = open(path.map((segment) => segment.toLowerCase()))
  if (exact.length !== folded.length) return closed("malformed")
  if (exact.length === 0) return closed("unlisted")
  return exact.some((endpoint) => endpoint.requirement._tag !== "Closed") ? Requirement.Public() : closed("closed")
}
