import { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { requestLifetime } from "../../../core/accounts/Handover.ts"
import type { Settings } from "../../../foundation/config/AppConfig.ts"

// What a browser keeps of its hand-overs: one cookie for each request, because several tabs may be at the platform's page,
// and one for an answer on its way through the redirect. They are named by the beginning of the request's nonce. All are
// `Lax`: an answer is posted by another site, and that post brings no cookies with it (docs/decisions.md).

type Addresses = Pick<Settings, "authUrl">
type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A request that this browser has made. */
export interface Pending {
  readonly secret: string
  /** The path that the sign-in leads to. */
  readonly returnTo: string
}

/** The part of a nonce by which its cookies are named. */
export const idOf = (nonce: string): string => nonce.slice(0, 16)

/** Tells the browser to keep a request, and to forget the oldest of many. */
export const keepRequest =
  (config: Addresses, { cookies }: Request, id: string, { returnTo, secret }: Pending) => (response: Response) => {
    const prefix = requestName(config, "")
    // A browser sends those first that it has had for longest (RFC 6265 §5.4).
    const tooMany = Object.keys(cookies).filter((name) => name.startsWith(prefix)).slice(0, 1 - mostRequests)
    const kept = `${secret}.${Buffer.from(returnTo).toString("base64url")}`
    return set(config, requestName(config, id), kept, requestLifetime)(
      tooMany.reduce((rest, name) => expire(config, name)(rest), response)
    )
  }

/** The request that an answer was given to, if this browser has made it. */
export const findRequest = (config: Addresses, { cookies }: Request, id: string): Pending | undefined => {
  const [, secret, returnTo] = /^([\w-]+)\.([\w-]*)$/.exec(cookies[requestName(config, id)] ?? "") ?? []
  return secret === undefined || returnTo === undefined
    ? undefined
    : { secret, returnTo: Buffer.from(returnTo, "base64url").toString("utf8") }
}

/** Tells the browser to keep an answer for as long as a redirect takes. */
export const keepAnswer = (config: Addresses, id: string, answer: string) =>
  set(config, answerName(config, id), answer, Duration.minutes(1))

export const findAnswer = (config: Addresses, { cookies }: Request, id: string): string | undefined =>
  cookies[answerName(config, id)]

/** Tells the browser to forget a request and its answer. */
export const forget = (config: Addresses, id: string) => (response: Response): Response =>
  expire(config, answerName(config, id))(expire(config, requestName(config, id))(response))

/** Each holds a path of a few hundred characters, and proxies refuse a header that is longer than some thousand. */
const mostRequests = 5

const name = (kind: string) => (config: Addresses, id: string): string =>
  `${isSecure(config) ? "__Host-" : ""}slotkey-${kind}-${id}`
const requestName = name("handover")
const answerName = name("answer")

const set = (config: Addresses, name: string, value: string, maxAge: Duration.Duration) => (response: Response) =>
  HttpServerResponse.setCookieUnsafe(response, name, value, { ...attributes(config), maxAge })

const expire = (config: Addresses, name: string) => set(config, name, "", Duration.zero)

const isSecure = ({ authUrl }: Addresses): boolean => authUrl.startsWith("https:")

const attributes = (config: Addresses) =>
  ({ httpOnly: true, secure: isSecure(config), sameSite: "lax", path: "/" }) as const
