import { hash } from "node:crypto"

/**
 * What was found in tokens whose signature held: an app sends the same token many times, and what a signature says of a
 * text does not change. Keeps digests, no tokens; forgets the oldest beyond its capacity.
 */
export class VerifiedTokenCache<A> {
  readonly #capacity: number
  readonly #byDigest = new Map<string, A>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(token: string): A | undefined {
    return this.#byDigest.get(digest(token))
  }

  add(token: string, found: A): void {
    if (this.#byDigest.size >= this.#capacity) {
      for (const oldest of this.#byDigest.keys()) {
        this.#byDigest.delete(oldest)
        break
      }
    }
    this.#byDigest.set(digest(token), found)
  }
}

const digest = (token: string): string => hash("sha256", token, "base64")
