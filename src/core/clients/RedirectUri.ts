import { Schema } from "effect"
import type { Fault } from "../../domain/Input.ts"
import type { ClientKind } from "./ClientKind.ts"

/** The reason why an address cannot be registered, or `undefined` (RFC 6749 §3.1.2, RFC 8252 §7). */
export const problem = (uri: string): string | undefined =>
  textProblem(uri) ?? formProblem(uri) ?? encodingProblem(uri) ?? queryProblem(uri)

/**
 * The reason why an import cannot keep an address that another server had registered: http on any host, a private-use
 * scheme without a dot, characters that a URI has encoded, and a query with a parameter of the response may stay until the
 * owner's next edit.
 */
export const keptProblem = (uri: string): string | undefined => {
  const isKept = URL.canParse(uri) && (/^https?:/i.test(uri) ? plainWeb.test(uri) : !reserved.test(uri))
  return textProblem(uri) ?? (isKept ? undefined : formProblem(uri))
}

/** The faults of an app's addresses by the rules for new apps. An imported app may have some until its owner's next edit. */
export const faultsOf = (kind: ClientKind, uris: ReadonlyArray<string>): ReadonlyArray<Fault> => [
  ...uris.flatMap((uri, at) => {
    const message = problem(uri)
    return message === undefined ? [] : [{ path: `redirectUris.${at}`, message }]
  }),
  ...kindFaults(kind, uris)
]

/** A private-use scheme is a domain name of the app in reverse order (RFC 8252 §7.1). */
export const isPrivateUse = (uri: string): boolean => privateUse.test(uri)

/** The faults of addresses that clients of this kind may not use. */
export const kindFaults = (kind: ClientKind, uris: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  kind === "public" ? [] : uris.flatMap((uri, at) =>
    isPrivateUse(uri)
      ? [{ path: `redirectUris.${at}`, message: "a private-use scheme is for public clients alone" }]
      : []
  )

/** True when the host is the device itself, any program of which may answer there. */
export const isLoopback = (uri: string): boolean => loopback.test(uri)

/**
 * Compares the presented address with the registered ones, character by character (RFC 9700 §4.1.3). On http loopback the
 * port may differ, because the app only learns it when it starts (RFC 8252 §7.3), and an empty path is `/` (RFC 9110
 * §4.2.3), because such apps add a port to `http://127.0.0.1` and their developers register what a browser shows.
 */
export const matches = (registered: ReadonlyArray<string>, presented: string): boolean => {
  if (registered.includes(presented)) return true
  const local = onAnyPort(presented)
  return local !== undefined && registered.some((uri) => onAnyPort(uri) === local)
}

/** One address that can be registered. */
export const RedirectUri = Schema.String.check(Schema.makeFilter(problem))

/** The addresses of one client: 1 to 10 (specification §8), none twice. */
export const listOf = (address: typeof RedirectUri) =>
  Schema.Array(address).check(
    Schema.isMinLength(1, { message: "must have at least one address" }),
    Schema.isMaxLength(10, { message: "must have at most 10 addresses" }),
    Schema.makeFilter((uris) => {
      const lastPlaces = new Map(uris.map((uri, at) => [uri, at]))
      return [...lastPlaces].flatMap(([uri, at]) =>
        uris.indexOf(uri) < at ? [{ path: [at], issue: "repeats an earlier address" }] : []
      )
    })
  )

export const RedirectUris = listOf(RedirectUri)

const textProblem = (uri: string): string | undefined => {
  if (uri === "") return "must not be empty"
  if (uri.length > 2048) return "must have at most 2,048 characters"
  if (!printable.test(uri)) return "must consist of printable ASCII characters without spaces"
  if (uri.includes("#")) return "must not have a fragment (#)"
  if (uri.includes("\\")) return "must not contain a backslash"
  if (!scheme.test(uri)) return "must be absolute, such as https://app.example/callback"
  return authority.exec(uri)?.[1]?.includes("@") ? "must not carry a user name or password (@)" : undefined
}

const formProblem = (uri: string): string | undefined => {
  if (/^http:/i.test(uri)) {
    return loopback.test(uri) && URL.canParse(uri)
      ? undefined
      : "must be https; http is for loopback alone: 127.0.0.1, [::1] or localhost"
  }
  if (/^https:/i.test(uri)) {
    return web.test(uri) && URL.canParse(uri)
      ? undefined
      : "must name a host, such as https://app.example/callback"
  }
  if (!isPrivateUse(uri)) {
    return "must be https, http on loopback, or a private-use scheme with a dot, such as com.example.app:/callback"
  }
  return URL.canParse(uri) && uri.indexOf(":") < uri.length - 1 ? undefined : "must have a path after the scheme"
}

/** Such an address is a mistake, or a placeholder that no request would match. */
const encodingProblem = (uri: string): string | undefined =>
  encoded.test(uri) ? undefined : "must have characters such as { < [ \" and a lone % percent-encoded"

/** A response adds these parameters to the query, and no parameter may be there twice (RFC 6749 §3.1). */
const queryProblem = (uri: string): string | undefined => {
  const name = [...new URL(uri).searchParams.keys()].find((name) => responseParameters.has(name))
  return name === undefined ? undefined : `must not have ${name} in its query: the response carries it`
}

/** The parameters of a response (RFC 6749 §4.1.2, §4.1.2.1; RFC 9207 §2). */
const responseParameters: ReadonlySet<string> = new Set([
  "code",
  "state",
  "iss",
  "error",
  "error_description",
  "error_uri"
])

const printable = /^[\x21-\x7e]+$/
/** The characters of a URI (RFC 3986 §2); brackets are for an IPv6 host alone. */
const encoded = /^[A-Za-z0-9+.-]+:(?:\/\/\[[^\]]*\])?(?:[\w.~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/
const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/
const authority = /^[^:]*:[/]+([^/?]*)/
const web = /^https:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?].*)?$/
const plainWeb = /^http:\/\/(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?].*)?$/i
// Schemes that no app owns: a browser runs, opens or sends what follows them.
const reserved = /^(?:about|blob|data|file|filesystem|ftp|intent|javascript|mailto|sms|tel|vbscript|view-source|wss?):/i
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::[0-9]{1,5})?(?:[/?].*)?$/
const privateUse = /^[A-Za-z][A-Za-z0-9+-]*(?:\.[A-Za-z0-9+-]+)+:/
const port = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::[0-9]{1,5})?((?:[/?][\x21-\x7e]*)?)$/

const onAnyPort = (uri: string): string | undefined => {
  const [, origin, tail = ""] = port.exec(uri) ?? []
  if (origin === undefined || uri.includes("#") || !URL.canParse(uri)) return undefined
  return tail.startsWith("/") ? origin + tail : `${origin}/${tail}`
}
