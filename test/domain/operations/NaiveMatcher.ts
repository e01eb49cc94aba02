import type { Endpoint } from "../../../src/domain/operations/EndpointList.ts"
import { isAsStrict, Requirement } from "../../../src/domain/scopes/Requirement.ts"

/** Policy in its simplest and slowest form, to which the property tests compare the real one. */
export const match = (endpoints: ReadonlyArray<Endpoint>, method: string, target: string): Requirement => {
  if (method === "OPTIONS") return preflight(endpoints, target)
  const listed = endpoints.filter((endpoint) => endpoint.method === (method === "HEAD" ? "GET" : method))
  if (listed.length === 0) return closed("unlisted")
  const whole = target.split("?")[0] ?? ""
  const slash = whole.endsWith("/") && listed.some(({ path }) => path.endsWith("/"))
  const written = slash ? whole.slice(0, -1) : whole
  const path = slash && written === "" ? [] : decodeOnce(written)
  if (path === undefined) return closed("malformed")

  const readings = [path, keepReserved(written)].flatMap((segments) => [
    candidates(listed, segments.join("/"), slash, ({ path }) => path),
    candidates(listed, segments.map(fold).join("/"), slash, ({ path }) => path.toLowerCase())
  ])
  const [exact = new Set()] = readings
  if (readings.some((other) => other.size !== exact.size || [...other].some((one) => !exact.has(one)))) {
    return closed("malformed")
  }
  if (exact.size === 0) return closed(slash ? "malformed" : "unlisted")
  return strictest([...exact])
}

const closed = (reason: "closed" | "unlisted" | "malformed") => Requirement.Closed({ reason })

const fold = (segment: string): string => segment.toUpperCase().toLowerCase()

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

/** Path as a router has it that decodes later, but for the characters that mean the same in either form. */
const keepReserved = (path: string): ReadonlyArray<string> =>
  path.split("/").slice(1).map((segment) =>
    segment.replaceAll(
      /%(?:4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|3[0-9]|2[de]|5f|7e)/gi,
      (escape) => decodeURIComponent(escape)
    )
  )

/** Pattern of a listed path, with or without the slash at its end. */
const pattern = (path: string): RegExp => {
  const found = patterns.get(path) ?? compiled(path)
  patterns.set(path, found)
  return found
}

const patterns = new Map<string, RegExp>()

const compiled = (path: string): RegExp =>
  new RegExp(
    `^${
      path.replaceAll(/^\/|\/$/g, "").split(/(\{[^}]*\})/).map((part) =>
        !part.startsWith("{") ? part.replaceAll(/[.$()]/g, "\\$&") : part.endsWith("+}") ? "[^/]+(?:/[^/]+)*" : "[^/]+"
      ).join("")
    }$`
  )

/** Tests if one path matches all that the other one matches; what stands for a parameter is in no literal. */
const includes = (one: string, other: string): boolean =>
  ["\u0001", "\u0001/\u0001"].every((text) =>
    pattern(one).test(
      other.replaceAll(/^\/|\/$/g, "").replaceAll(/\{[^}]*\+\}/g, text).replaceAll(/\{[^}]*\}/g, "\u0001")
    )
  )

/** Operations that a router may take for the path: the most specific ones, whether or not it looks at the slash. */
const candidates = (
  listed: ReadonlyArray<Endpoint>,
  path: string,
  slash: boolean,
  pathOf: (endpoint: Endpoint) => string
): ReadonlySet<Endpoint> => {
  const matching = listed.filter((endpoint) => pattern(pathOf(endpoint)).test(path))
  const exact = matching.filter((endpoint) => endpoint.path.endsWith("/") === slash)
  const closest = (among: ReadonlyArray<Endpoint>) =>
    among.filter((endpoint) =>
      !among.some((other) => includes(pathOf(endpoint), pathOf(other)) && !includes(pathOf(other), pathOf(endpoint)))
    )
  return new Set(exact.length === 0 ? [] : [...closest(exact), ...closest(matching)])
}

const strictest = (endpoints: ReadonlyArray<Endpoint>): Requirement =>
  endpoints.map(({ requirement }) => requirement).find((one) =>
    endpoints.every((other) => isAsStrict(one, other.requirement))
  ) ?? closed("closed")

/** Public where one method at least is not closed; else the refusal of the first one that is listed there. */
const preflight = (endpoints: ReadonlyArray<Endpoint>, target: string): Requirement => {
  const each = ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => match(endpoints, method, target))
  if (each.some(({ _tag }) => _tag !== "Closed")) return Requirement.Public()
  return each.find((one) => one._tag === "Closed" && one.reason !== "unlisted") ?? closed("unlisted")
}
