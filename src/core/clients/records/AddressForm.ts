import { isReserved } from "../../../domain/PrivateScheme.ts"

// Forms of a redirect URI, each refusal with the cause that its developer can mend.

/** Why a text is no single absolute address without a fragment (RFC 6749 §3.1.2). */
export const textProblem = (uri: string): string | undefined => {
  if (uri === "") return "must not be empty"
  if (uri.length > 2048) return "must have at most 2,048 characters"
  if (/[\x00-\x20\x7f]/.test(uri)) return "must not contain spaces or control characters"
  if (!/^[\x21-\x7e]+$/.test(uri)) return asciiProblem(uri)
  if (uri.includes("#")) return "must not have a fragment (#)"
  if (uri.includes("\\")) return "must not contain a backslash"
  if (!scheme.test(uri)) return "must be absolute, such as https://app.example/callback"
  return authority.exec(uri)?.[1]?.includes("@") ? "must not carry a user name or password (@)" : undefined
}

/**
 * Why a text stands for more than one address, if it does: addresses are compared character by character (RFC 9700
 * §4.1.3), so a pattern would match no request. A `*` within a name is no pattern.
 */
export const patternProblem = (uri: string): string | undefined => {
  if (list.test(uri)) return "must be one address: each of several is an entry of its own"
  const [placeholder] = placeholders.exec(uri) ?? []
  if (placeholder !== undefined) {
    return `must not have a placeholder (${placeholder}): each address is an entry of its own`
  }
  if (/^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\*/.test(uri)) {
    return "must not have a wildcard (*): leave the port out, since any port of loopback is taken"
  }
  return pattern.test(uri) ? "must not have a wildcard (*): each address is an entry of its own" : undefined
}

/** Why the form of an address is not taken. Schemes without a dot are taken if the operator lists them. */
export const formProblem = (uri: string, schemes: ReadonlySet<string>): string | undefined => {
  const name = uri.slice(0, uri.indexOf(":"))
  if (!/^https?$/i.test(name)) return schemeProblem(uri, name, schemes)
  if (name !== name.toLowerCase()) return inLowerCase
  const [, host, port] = web.exec(uri) ?? []
  if (host === undefined) return "must have two slashes and a host after its scheme, as in https://app.example/callback"
  if (name === "http" && !loopbackHosts.has(host)) {
    return "must be https; http is for loopback alone: 127.0.0.1, [::1] or localhost"
  }
  return hostProblem(host) ?? portProblem(port) ?? (URL.canParse(uri) ? undefined : noAddress)
}

/** Such an address is a mistake, which a browser may mend on its way and may not. */
export const encodingProblem = (uri: string): string | undefined =>
  encoded.test(uri) ? undefined : "must have characters such as { < [ \" and a lone % percent-encoded"

/** A response adds these parameters to the query, and no parameter may be there twice (RFC 6749 §3.1). */
export const queryProblem = (uri: string): string | undefined => {
  const name = [...new URL(uri).searchParams.keys()].find((name) => responseParameters.has(name))
  return name === undefined ? undefined : `must not have ${name} in its query: the response carries it`
}

/** A private-use scheme is a domain name of the app in reverse order (RFC 8252 §7.1). */
export const isReverseDomain = (uri: string): boolean => reverseDomain.test(uri)

const asciiProblem = (uri: string): string => {
  const { hostname = "" } = URL.canParse(uri) ? new URL(uri) : {}
  return /[^\x21-\x7e]/.test(authority.exec(uri)?.[1] ?? "") && hostname !== ""
    ? `must have its host in ASCII: ${hostname}`
    : "must have characters beyond ASCII percent-encoded"
}

const hostProblem = (host: string): string | undefined => {
  if (host === "") return "must name a host, such as https://app.example/callback"
  return /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/.test(host)
    ? undefined
    : "must have a host of letters, digits, dots, hyphens and underscores"
}

const portProblem = (port: string | undefined): string | undefined => {
  if (port === "") return "must have no colon after its host, or a port after the colon"
  return port === undefined || /^[0-9]{1,5}$/.test(port) && Number(port) <= 65_535
    ? undefined
    : "must have a port from 0 to 65535"
}

const noAddress = "must have an IP address that exists as its host: four numbers up to 255, or IPv6 in brackets"

const schemeProblem = (uri: string, name: string, schemes: ReadonlySet<string>): string | undefined => {
  if (isReserved(name)) return `must not begin with ${name}: which is no app's own scheme`
  if (/^urn$/i.test(name)) {
    return "must be an address: use http on loopback instead of a urn for codes that are typed in"
  }
  if (schemes.has(name.toLowerCase()) && !schemes.has(name)) return inLowerCase
  if (!name.includes(".") && !schemes.has(name)) return withoutDot(name, schemes)
  if (name.includes(".") && !isReverseDomain(uri)) return "must have a domain name in reverse order as its scheme"
  if (uri.length === name.length + 1) return "must have a path after the scheme"
  return URL.canParse(uri) ? undefined : "must have a valid host and port after the scheme, or none"
}

const inLowerCase = "must have its scheme in lower case: addresses are compared character by character"

const withoutDot = (name: string, schemes: ReadonlySet<string>): string => {
  const taken = schemes.size === 0 ? "" : `, or one that this server takes (${[...schemes].join(", ")})`
  return "must be https, http on loopback, or a private-use scheme with a dot, such as com.example.app:/callback" +
    `${taken}: any program can claim ${name}. VS Code has https://vscode.dev/redirect for it, and Raycast ` +
    "https://raycast.com/redirect"
}

/** Parameters of a response (RFC 6749 §4.1.2, §4.1.2.1; RFC 9207 §2). */
const responseParameters: ReadonlySet<string> = new Set([
  "code",
  "state",
  "iss",
  "error",
  "error_description",
  "error_uri"
])

/** Characters of a URI (RFC 3986 §2); brackets are for an IPv6 host alone. */
const encoded = /^[A-Za-z0-9+.-]+:(?:\/\/\[[^\]]*\])?(?:[\w.~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/
const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/
const authority = /^[^:]*:[/]+([^/?]*)/
const web = /^https?:\/\/(\[[^\]]*\]|[^/?:]*)(?::([^/?]*))?(?:[/?].*)?$/
const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"])
const reverseDomain = /^[A-Za-z][A-Za-z0-9+-]*(?:\.[A-Za-z0-9+-]+)+:/
const list = /[\s,;|]["']?[A-Za-z][A-Za-z0-9+.-]*:\//
const placeholders = /\{[^{}]*\}|<[^<>]*>/
const pattern = /[/.:=?&*]\*|\*(?:[/.:?&]|$)/
