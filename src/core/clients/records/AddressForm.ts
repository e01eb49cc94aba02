import { isReserved } from "../../../domain/PrivateScheme.ts"
import { type Broken, broken } from "../../../domain/Rule.ts"

// Forms of a redirect URI, each refusal with the cause that its developer can mend.

/** Why a text is no single absolute address without a fragment (RFC 6749 §3.1.2). */
export const textProblem = (uri: string): Broken | undefined => {
  if (uri === "") return broken("empty")
  if (uri.length > 2048) return broken("addressTooLong")
  if (/[\x00-\x20\x7f]/.test(uri)) return broken("spaces")
  if (!/^[\x21-\x7e]+$/.test(uri)) return asciiProblem(uri)
  if (uri.includes("#")) return broken("fragment")
  if (uri.includes("\\")) return broken("backslash")
  if (!scheme.test(uri)) return broken("absolute", { example })
  return authority.exec(uri)?.[1]?.includes("@") ? broken("userInformation") : undefined
}

/**
 * Why a text stands for more than one address, if it does: addresses are compared character by character (RFC 9700
 * §4.1.3), so a pattern would match no request. A `*` within a name is no pattern.
 */
export const patternProblem = (uri: string): Broken | undefined => {
  if (list.test(uri)) return broken("severalAddresses")
  const [placeholder] = placeholders.exec(uri) ?? []
  if (placeholder !== undefined) return broken("placeholder", { placeholder })
  if (/^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\*/.test(uri)) return broken("wildcardPort")
  return pattern.test(uri) ? broken("wildcard") : undefined
}

/** Why the form of an address is not taken. Schemes without a dot are taken if the operator lists them. */
export const formProblem = (uri: string, schemes: ReadonlySet<string>): Broken | undefined => {
  const name = uri.slice(0, uri.indexOf(":"))
  if (!/^https?$/i.test(name)) return schemeProblem(uri, name, schemes)
  if (name !== name.toLowerCase()) return inLowerCase
  const [, host, port] = web.exec(uri) ?? []
  if (host === undefined) return broken("slashes", { example })
  if (name === "http" && !loopbackHosts.has(host)) return broken("secureRedirect")
  return hostProblem(host) ?? portProblem(port) ?? (URL.canParse(uri) ? undefined : noAddress)
}

/** Such an address is a mistake, which a browser may mend on its way and may not. */
export const encodingProblem = (uri: string): Broken | undefined => encoded.test(uri) ? undefined : broken("encoding")

/** A response adds these parameters to the query, and no parameter may be there twice (RFC 6749 §3.1). */
export const queryProblem = (uri: string): Broken | undefined => {
  const name = [...new URL(uri).searchParams.keys()].find((name) => responseParameters.has(name))
  return name === undefined ? undefined : broken("responseParameter", { parameter: name })
}

/** A private-use scheme is a domain name of the app in reverse order (RFC 8252 §7.1). */
export const isReverseDomain = (uri: string): boolean => reverseDomain.test(uri)

const asciiProblem = (uri: string): Broken => {
  const { hostname = "" } = URL.canParse(uri) ? new URL(uri) : {}
  return /[^\x21-\x7e]/.test(authority.exec(uri)?.[1] ?? "") && hostname !== ""
    ? broken("asciiHost", { host: hostname })
    : broken("ascii")
}

const hostProblem = (host: string): Broken | undefined => {
  if (host === "") return broken("redirectHost", { example })
  return /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/.test(host)
    ? undefined
    : broken("hostCharacters")
}

const portProblem = (port: string | undefined): Broken | undefined => {
  if (port === "") return broken("portMissing")
  return port === undefined || /^[0-9]{1,5}$/.test(port) && Number(port) <= 65_535
    ? undefined
    : broken("port")
}

const noAddress = broken("ipAddress")

const schemeProblem = (uri: string, name: string, schemes: ReadonlySet<string>): Broken | undefined => {
  if (isReserved(name)) return broken("reservedScheme", { scheme: name })
  if (/^urn$/i.test(name)) return broken("urn")
  if (schemes.has(name.toLowerCase()) && !schemes.has(name)) return inLowerCase
  if (!name.includes(".") && !schemes.has(name)) return withoutDot(name, schemes)
  if (name.includes(".") && !isReverseDomain(uri)) return broken("reverseDomain")
  if (uri.length === name.length + 1) return broken("schemeAlone")
  return URL.canParse(uri) ? undefined : broken("schemeAuthority")
}

const inLowerCase = broken("schemeCase")

const withoutDot = (scheme: string, schemes: ReadonlySet<string>): Broken => {
  const values = {
    example: "com.example.app:/callback",
    scheme,
    vscode: "https://vscode.dev/redirect",
    raycast: "https://raycast.com/redirect"
  }
  return schemes.size === 0
    ? broken("schemeWithoutDot", values)
    : broken("schemeNotTaken", { ...values, taken: [...schemes].join(", ") })
}

const example = "https://app.example/callback"

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
