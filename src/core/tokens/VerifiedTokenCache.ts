/**
 * What tokens that were verified contain, by a digest of each: an app sends the same token many times. Drops the oldest
 * beyond its capacity. Where more tokens than that are in use, none would be found before it is dropped, so a token is
 * kept only when it comes a second time, while little else has come in between.
 */
export class VerifiedTokenCache<A> {
  readonly #capacity: number
  readonly #byDigest = new Map<string, A>()
  /** Marks of the digests seen last, each at a place that it determines. */
  readonly #seen: Int32Array

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#seen = new Int32Array(capacity)
  }

  get(digest: string): A | undefined {
    return this.#byDigest.get(digest)
  }

  add(digest: string, found: A): void {
    if (!this.#isSecond(digest)) return
    if (this.#byDigest.size >= this.#capacity) {
      for (const oldest of this.#byDigest.keys()) {
        this.#byDigest.delete(oldest)
        break
      }
    }
    this.#byDigest.set(digest, found)
  }

  #isSecond(digest: string): boolean {
    const place = word(digest, 0) % this.#capacity
    const mark = word(digest, 4) | 0
    if (this.#seen[place] === mark) return true
    // Two tokens that come in turn and share a place would otherwise keep each other out.
    if (Math.random() < 0.5) this.#seen[place] = mark
    return false
  }
}

/** Four characters of a digest as a number. */
const word = (digest: string, at: number): number =>
  (digest.charCodeAt(at) | digest.charCodeAt(at + 1) << 8 | digest.charCodeAt(at + 2) << 16 |
    digest.charCodeAt(at + 3) << 24) >>> 0
