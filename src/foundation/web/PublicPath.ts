import { HttpServerResponse } from "effect/http"
import type { Settings } from "../config/AppConfig.ts"

// A proxy may show the server beneath a path of its host (`AUTH_URL`), which it takes away from each request. Within
// the server every address begins at the root. This is the one place that makes them those of the browser, as answers
// leave.

type Addresses = Pick<Settings, "authUrl">
type Response = HttpServerResponse.HttpServerResponse

/** Path of the web application's address; empty where there is none. */
export const publicPathOf = ({ authUrl }: Addresses): string => new URL(authUrl).pathname.replace(/\/$/, "")

/** Leads a page's links, forms and files to the public path. */
export const pageAt = (publicPath: string, page: string): string =>
  publicPath === ""
    ? page
    : page.replaceAll(rootAbsolute, (_, before) => `${before}${publicPath.replaceAll("&", "&amp;")}/`)

// Texts on a page are escaped, so a quotation mark stands in its markup alone.
const rootAbsolute = /(\s(?:href|src(?:set)?|(?:form)?action)="|\scontent="0;url=)\/(?!\/)/g

/** Leads an answer there: where it sends the browser on, and its cookies. */
export const atPublicPath = (config: Addresses): (response: Response) => Response => {
  const publicPath = publicPathOf(config)
  if (publicPath === "") return (response) => response
  const leading = (response: Response): Response => {
    const { location } = response.headers
    return location === undefined || !/^\/(?!\/)/.test(location)
      ? response
      : HttpServerResponse.setHeader(response, "location", publicPath + location)
  }
  const keeping = (response: Response): Response =>
    Object.values(response.cookies.cookies).reduce(
      (rest, { name, options, value }) =>
        HttpServerResponse.setCookieUnsafe(rest, name, value, {
          ...options,
          path: publicPath + (options?.path ?? "/").replace(/\/$/, "")
        }),
      response
    )
  return (response) => keeping(leading(response))
}

/**
 * Prefix of our cookies' names. With https it has the browser bind them to this host and to https, so that sites beside
 * this one cannot give a browser one of theirs. A cookie for a path cannot be bound to the host, but other programs at
 * it do not get it.
 */
export const cookiePrefix = (config: Addresses): string =>
  !config.authUrl.startsWith("https:") ? "" : publicPathOf(config) === "" ? "__Host-" : "__Secure-"
