import type { Source } from "./Load.ts"
import * as TokenRequests from "./TokenRequests.ts"

/**
 * Very many access tokens, in one piece of memory beside the heap, and the calls that come with them in random order.
 */
export class IssuedTokens {
  readonly #texts: Buffer
  readonly #ends: Uint32Array
  readonly #userOf: (n: number) => string
  #count = 0

  constructor(capacity: number, userOf: (n: number) => string) {
    this.#texts = Buffer.alloc(capacity * longest)
    this.#ends = new Uint32Array(capacity)
    this.#userOf = userOf
  }

  add(token: string): void {
    const start = this.#end(this.#count - 1)
    this.#ends[this.#count++] = start + this.#texts.write(token, start, "latin1")
  }

  /** Has the server itself check some token of the first `distinct` (specification §4.4). */
  check(distinct: number): Source {
    return () => {
      const n = this.#random(distinct)
      const user = `"${this.#userOf(n)}"`
      return {
        bytes: TokenRequests.check(this.#token(n)),
        faultOf: ({ body, status }) => status === 200 && body.includes(user) ? undefined : `${status} ${body}`
      }
    }
  }

  /** Asks, as a gateway does, whether a call with some token of the first `distinct` may pass. */
  gateway(distinct: number): Source {
    return () => {
      const n = this.#random(distinct)
      const user = `: ${this.#userOf(n)}\r\n`
      return {
        bytes: TokenRequests.gateway(this.#token(n)),
        faultOf: ({ body, head, status }) => status === 200 && head.includes(user) ? undefined : `${status} ${body}`
      }
    }
  }

  #random(distinct: number): number {
    return Math.floor(Math.random() * Math.min(distinct, this.#count))
  }

  #token(n: number): string {
    return this.#texts.toString("latin1", this.#end(n - 1), this.#end(n))
  }

  #end(n: number): number {
    return this.#ends[n] ?? 0
  }
}

// The bytes of a token are fewer.
const longest = 1_024
