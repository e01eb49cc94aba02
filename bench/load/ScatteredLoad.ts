import { clientOfCode, type Population, userId, userOfCode } from "../Population.ts"
import type { Tokens } from "../systems/KnownGrants.ts"
import type { Source } from "./Load.ts"
import * as TokenRequests from "./TokenRequests.ts"

/**
 * Refreshes and checks of grants that lie anywhere in a table of very many. Of each grant only its generation is kept:
 * its tokens are made when they are needed.
 */
export class ScatteredLoad {
  readonly #population: Population
  readonly #tokens: Tokens
  readonly #generations: Uint16Array

  constructor(population: Population, tokens: Tokens, grants: number) {
    this.#population = population
    this.#tokens = tokens
    this.#generations = new Uint16Array(grants)
  }

  /** Refreshes some grant among `few`, which lie as far apart as the table allows (RFC 6749 §6). */
  refresh(few: number): Source {
    return () => {
      const n = this.#some(few)
      const generation = this.#generations[n] ?? 0
      const client = clientOfCode(this.#population, n)
      return {
        bytes: TokenRequests.refresh(client, this.#tokens.refreshToken(n, generation)),
        faultOf: ({ body, status }) => {
          if (status !== 200 || !body.includes(`"refresh_token":"`)) return `${status} ${body.slice(0, 120)}`
          this.#generations[n] = generation + 1
          return undefined
        }
      }
    }
  }

  /** Asks, as a gateway does, whether a call for some grant among `few` may pass (docs/gateway.md). */
  gateway(few: number): Source {
    return () => {
      const n = this.#some(few)
      const user = `: ${userId(userOfCode(this.#population, n))}\r\n`
      return {
        bytes: TokenRequests.gateway(this.#tokens.accessToken(n)),
        faultOf: ({ body, head, status }) =>
          status === 200 && head.includes(user) ? undefined : `${status} ${body.slice(0, 120)}`
      }
    }
  }

  #some(few: number): number {
    // Odd, so that the clients and users of all kinds of numbers take part.
    const apart = (Math.floor(this.#generations.length / few) - 1) | 1
    return Math.floor(Math.random() * few) * apart
  }
}
