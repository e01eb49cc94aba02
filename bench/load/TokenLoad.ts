import { clientOfCode, type Population, scopes, userId, userOfCode } from "../Population.ts"
import type { Answer, Source } from "./Load.ts"
import * as TokenRequests from "./TokenRequests.ts"

interface Options {
  /** Number of the code that is exchanged first. */
  readonly firstCode?: number
  /** Number of grants that are refreshed and checked, so that a load of an hour does not fill the memory. */
  readonly kept?: number
  readonly accessTokens?: "jwt" | "opaque"
}

/** Tokens that a client holds for one grant. */
interface Pair {
  readonly client: number
  readonly user: string
  accessToken: string
  refreshToken: string
}

/**
 * Load of many clients: they exchange their codes, refresh the tokens, and call the API. The exchanges feed the other
 * two, so the same load runs against any server with a token endpoint.
 */
export class TokenLoad {
  readonly #population: Population
  readonly #kept: number
  readonly #accessTokens: "jwt" | "opaque"
  readonly #seen = new Set<string>()
  readonly #pairs: Array<Pair> = []
  #nextCode: number
  #nextRefresh = 0
  #nextCheck = 0

  constructor(population: Population, { accessTokens = "jwt", firstCode = 0, kept = Infinity }: Options = {}) {
    this.#population = population
    this.#nextCode = firstCode
    this.#accessTokens = accessTokens
    this.#kept = kept
  }

  /** Exchanges a code for tokens (RFC 6749 §4.1.3). */
  readonly exchange: Source = () => {
    if (this.#nextCode === this.#population.codes) return undefined
    const n = this.#nextCode++
    const client = clientOfCode(this.#population, n)
    const user = userId(userOfCode(this.#population, n))
    return {
      bytes: TokenRequests.exchange(client, n, this.#population.pkce),
      faultOf: (answer) => {
        const tokens = this.#tokens(answer)
        if (typeof tokens === "string") return tokens
        if (this.#pairs.length < this.#kept) this.#pairs.push({ client, user, ...tokens })
        return undefined
      }
    }
  }

  /** Exchanges a grant's newest refresh token for its successor (RFC 6749 §6); each grant in its turn. */
  readonly refresh: Source = () => {
    const pair = this.#pairs[this.#nextRefresh]
    if (pair === undefined) return undefined
    // Not a remainder: exchanges make more grants meanwhile, and one could come twice in a row.
    if (++this.#nextRefresh === this.#pairs.length) this.#nextRefresh = 0
    return {
      bytes: TokenRequests.refresh(pair.client, pair.refreshToken),
      faultOf: (answer) => {
        const tokens = this.#tokens(answer)
        if (typeof tokens === "string") return tokens
        pair.accessToken = tokens.accessToken
        pair.refreshToken = tokens.refreshToken
        return undefined
      }
    }
  }

  /** Has the server itself check an access token (specification §4.4). */
  check(distinctTokens: number): Source {
    return () => {
      const pair = this.#pairs[this.#nextCheck++ % Math.min(distinctTokens, this.#pairs.length)]
      if (pair === undefined) return undefined
      return {
        bytes: TokenRequests.check(pair.accessToken),
        faultOf: (answer) => {
          if (answer.status !== 200) return problem(answer)
          return answer.body.includes(`"${pair.user}"`) ? undefined : "another user's profile"
        }
      }
    }
  }

  /** Asks, as a gateway does, whether a call of the API may pass (docs/gateway.md). */
  gateway(distinctTokens: number): Source {
    return () => {
      const pair = this.#pairs[this.#nextCheck++ % Math.min(distinctTokens, this.#pairs.length)]
      if (pair === undefined) return undefined
      return {
        bytes: TokenRequests.gateway(pair.accessToken),
        faultOf: (answer) => {
          if (answer.status !== 200) return problem(answer)
          return answer.head.includes(`: ${pair.user}\r\n`) ? undefined : "another caller"
        }
      }
    }
  }

  /** Asks about an access token (RFC 7662). */
  introspect(distinctTokens: number): Source {
    return () => {
      const pair = this.#pairs[this.#nextCheck++ % Math.min(distinctTokens, this.#pairs.length)]
      if (pair === undefined) return undefined
      return {
        bytes: TokenRequests.introspect(pair.client, pair.accessToken),
        faultOf: (answer) => {
          if (answer.status !== 200) return problem(answer)
          const { active, scope, sub }: Record<string, unknown> = JSON.parse(answer.body)
          return active === true && sub === pair.user && scope === scopes.join(" ")
            ? undefined
            : "a wrong introspection"
        }
      }
    }
  }

  /** A sample of the newest access tokens, whose signatures are to be verified. */
  sample(size: number): ReadonlyArray<string> {
    return this.#pairs.slice(-size).map((pair) => pair.accessToken)
  }

  #tokens(answer: Answer): { readonly accessToken: string; readonly refreshToken: string } | string {
    if (answer.status !== 200) return problem(answer)
    if (!/\r\ncache-control: *no-store\r\n/i.test(answer.head)) return "tokens that may be cached"
    const body: Record<string, unknown> = JSON.parse(answer.body)
    const { access_token: accessToken, expires_in, refresh_token: refreshToken, scope, token_type } = body
    if (!/^bearer$/i.test(String(token_type)) || scope !== scopes.join(" ")) return "a wrong token response"
    // Some servers take the time of the answer off.
    if (typeof expires_in !== "number" || expires_in > 1800 || expires_in < 1795) return "a wrong lifetime"
    if (typeof accessToken !== "string" || !forms[this.#accessTokens].test(accessToken)) return "a wrong access token"
    if (typeof refreshToken !== "string" || this.#seen.has(refreshToken)) return "no new refresh token"
    if (this.#seen.size === remembered) this.#seen.clear()
    this.#seen.add(refreshToken)
    return { accessToken, refreshToken }
  }
}

const forms = { jwt: /^[\w-]+\.[\w-]+\.[\w-]+$/, opaque: /^[\w-]{22,}$/ }

/** Number of refresh tokens among which each has to be new. */
const remembered = 2_000_000

const problem = (answer: Answer): string => `${answer.status} ${answer.body.slice(0, 120)}`
