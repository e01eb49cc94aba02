import { Duration } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Settings } from "../../foundation/config/AppConfig.ts"
import { cookiePrefix } from "../../foundation/web/PublicPath.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * Cookies of one kind, one for each sign-in that a browser has begun: several tabs may be on their way at once, and
 * where all shared a cookie, the answer to one of them would take away what the others wait for.
 */
export const tabCookies = (config: Pick<Settings, "authUrl">, kind: string, lifetime: Duration.Duration) => {
  const secure = config.authUrl.startsWith("https:")
  const prefix = `${cookiePrefix(config)}slotkey-${kind}-`
  // An answer may be posted by another site, and leads here by a link of another site at the least.
  const attributes = { httpOnly: true, secure, sameSite: "lax", path: "/" } as const

  const set = (name: string, value: string, maxAge: Duration.Duration) => (response: Response) =>
    HttpServerResponse.setCookieUnsafe(response, name, value, { ...attributes, maxAge })
  const expire = (name: string) => set(name, "", Duration.zero)

  /** Has the browser keep this, and forget the oldest of many. */
  const keep = ({ cookies }: Request, id: string, value: string) => (response: Response) => {
    const own = prefix + id
    let length = own.length + value.length
    // A browser sends those first that it has had for longest (RFC 6265 §5.4).
    const tooMany = Object.entries(cookies).reverse().filter(([name, { length: size }]) => {
      if (!name.startsWith(prefix) || name === own) return false
      length += name.length + size
      return length > mostCharacters
    })
    return set(own, value, lifetime)(tooMany.reduce((rest, [name]) => expire(name)(rest), response))
  }

  return {
    keep,
    find: ({ cookies }: Request, id: string) => cookies[prefix + id],
    forget: (id: string) => expire(prefix + id)
  }
}

/** Proxies refuse a header that is longer than some thousand characters, and browsers send all cookies in one. */
const mostCharacters = 3_500
