import { hash } from "node:crypto"

/**
 * The contents of tokens whose signature was verified: an app sends the same token many times, and the signature of a
 * text stays valid. Keeps digests instead of tokens, and drops the oldest beyond its capacity.
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
