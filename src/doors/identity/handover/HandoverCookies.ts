import { Duration } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { requestLifetime } from "../../../core/accounts/linked/Handover.ts"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { tabCookies } from "../TabCookies.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** A request that this browser has made. */
interface Pending {
  readonly secret: string
  /** Path that the sign-in leads to. */
  readonly returnTo: string
}

/** Part of a nonce by which its request is named. */
export const idOf = (nonce: string): string => nonce.slice(0, 16)

/**
 * What a browser keeps of its hand-overs: its requests, and the last answer on its way through the redirect. Both are
 * `Lax`: an answer is posted by another site, and that post brings no cookies with it (docs/decisions/hand-over.md). So
 * it cannot be known how many answers the browser has, and one takes the place of another: each is as large as a cookie
 * may be.
 */
export const handoverCookies = (config: Pick<Settings, "authUrl">) => {
  const requests = tabCookies(config, "handover", requestLifetime)
  const answers = tabCookies(config, "answer", Duration.minutes(1))
  return {
    keepRequest: (request: Request, id: string, { returnTo, secret }: Pending) =>
      requests.keep(request, id, `${secret}.${Buffer.from(returnTo).toString("base64url")}`),
    /** Request of this name, if this browser has made it. */
    findRequest: (request: Request, id: string): Pending | undefined => {
      const [, secret, returnTo] = /^([\w-]+)\.([\w-]*)$/.exec(requests.find(request, id) ?? "") ?? []
      return secret === undefined || returnTo === undefined
        ? undefined
        : { secret, returnTo: Buffer.from(returnTo, "base64url").toString("utf8") }
    },
    /** Keeps an answer for as long as a redirect takes. */
    keepAnswer: (request: Request, answer: string) => answers.keep(request, last, answer),
    findAnswer: (request: Request): string | undefined => answers.find(request, last),
    forgetAnswer: (response: Response): Response => answers.forget(last)(response)
  }
}

const last = "last"
