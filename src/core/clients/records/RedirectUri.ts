import { Schema } from "effect"
import type { Fault } from "../../../domain/Input.ts"
import { isReserved } from "../../../domain/PrivateScheme.ts"
import { breach, type Broken, broken, ruled } from "../../../domain/Rule.ts"
import {
  encodingProblem,
  formProblem,
  isReverseDomain,
  patternProblem,
  queryProblem,
  textProblem
} from "./AddressForm.ts"
import type { ClientKind } from "./ClientKind.ts"

/** Private-use schemes without a dot that the operator takes (`REDIRECT_SCHEMES`). */
export type Schemes = ReadonlySet<string>

const none: Schemes = new Set()

/** Why an address cannot be registered, or `undefined` (RFC 6749 §3.1.2, RFC 8252 §7). */
export const problem = (uri: string, schemes = none): Broken | undefined =>
  patternProblem(uri) ?? textProblem(uri) ?? formProblem(uri, schemes) ?? encodingProblem(uri) ?? queryProblem(uri)

/** Tells whether a text stands for several addresses, as another server read it: no request has it. */
export const isPattern = (uri: string): boolean => patternProblem(uri) !== undefined

/**
 * Why an import cannot keep an address that another server had registered: http on any host, a private-use scheme
 * without a dot, a pattern, characters that a URI has encoded, and a query with a parameter of the response may stay
 * until the owner's next edit.
 */
export const keptProblem = (uri: string): Broken | undefined => {
  const isWeb = /^https?:/i.test(uri)
  const isKept = isPattern(uri)
    ? isWeb || !isReserved(schemeOf(uri))
    : URL.canParse(uri) && (isWeb ? plainWeb.test(uri) : !isReserved(schemeOf(uri)))
  const cause = textProblem(uri) ?? (isKept ? undefined : formProblem(uri, none))
  return cause === undefined ? undefined : patternProblem(uri) ?? cause
}

/**
 * Faults of an app's addresses by the rules for new apps. An imported app may have some until its owner's next edit.
 */
export const faultsOf = (kind: ClientKind, uris: ReadonlyArray<string>, schemes = none): ReadonlyArray<Fault> => [
  ...uris.flatMap((uri, at) => {
    const found = problem(uri, schemes)
    return found === undefined ? [] : [{ path: `redirectUris.${at}`, ...found }]
  }),
  ...kindFaults(kind, uris, schemes)
]

export const kindFaults = (kind: ClientKind, uris: ReadonlyArray<string>, schemes = none): ReadonlyArray<Fault> =>
  kind === "public" ? [] : uris.flatMap((uri, at) =>
    isReverseDomain(uri) || schemes.has(schemeOf(uri))
      ? [{ path: `redirectUris.${at}`, ...broken("privateScheme") }]
      : []
  )

/**
 * Tells whether any program on a device may claim the scheme of an address: one that is no domain name, which an
 * operator takes or another server had registered (RFC 8252 §8.6).
 */
export const isUnowned = (uri: string): boolean => !/^https?$/i.test(schemeOf(uri)) && !schemeOf(uri).includes(".")

/** True when the host is the device itself, any program of which may answer there. */
export const isLoopback = (uri: string): boolean => loopback.test(uri)

/**
 * Compares the presented address with the registered ones, character by character (RFC 9700 §4.1.3). On http loopback
 * the port may differ, because the app only learns it when it starts (RFC 8252 §7.3), and an empty path is `/` (RFC
 * 9110 §4.2.3), because such apps add a port to `http://127.0.0.1` and their developers register what a browser shows.
 * A pattern that an import kept may be no address at all.
 */
export const matches = (registered: ReadonlyArray<string>, presented: string): boolean => {
  if (registered.includes(presented)) return URL.canParse(presented)
  const local = onAnyPort(presented)
  return local !== undefined && registered.some((uri) => onAnyPort(uri) === local)
}

/** An address as it may be shown: its query and its user information may hold secrets of the app. */
export const withoutSecrets = (uri: string): string => uri.replace(/[?#].*$/s, "?…").replace(/[/][/][^/@]*@/, "//…@")

/** One address that can be registered where the operator takes these schemes. */
const addressOf = (schemes: Schemes) => Schema.String.check(ruled((uri) => problem(uri, schemes)))

/** Addresses of one client: 1 to 10 (specification §8), none twice. */
export const listOf = (address: ReturnType<typeof addressOf>) =>
  Schema.Array(address).check(
    Schema.isMinLength(1, broken("addresses")),
    Schema.isMaxLength(10, broken("tooManyAddresses", { most: 10 })),
    Schema.makeFilter((uris) => {
      const lastPlaces = new Map(uris.map((uri, at) => [uri, at]))
      return [...lastPlaces].flatMap(([uri, at]) =>
        uris.indexOf(uri) < at ? [{ path: [at], issue: breach(broken("addressTwice")) }] : []
      )
    })
  )

export const redirectUrisWith = (schemes: Schemes) => listOf(addressOf(schemes))
export const RedirectUris = redirectUrisWith(none)

const schemeOf = (uri: string): string => uri.slice(0, Math.max(0, uri.indexOf(":")))

const plainWeb = /^http:\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?].*)?$/i
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::[0-9]{1,5})?(?:[/?].*)?$/
const port = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::[0-9]{1,5})?((?:[/?][\x21-\x7e]*)?)$/

const onAnyPort = (uri: string): string | undefined => {
  const [, origin, tail = ""] = port.exec(uri) ?? []
  if (origin === undefined || uri.includes("#") || !URL.canParse(uri)) return undefined
  return tail.startsWith("/") ? origin + tail : `${origin}/${tail}`
}
