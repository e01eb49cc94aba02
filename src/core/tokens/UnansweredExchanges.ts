import * as Credential from "../../domain/Credential.ts"
import type { GrantId } from "../../domain/Ids.ts"
import type { Redemption } from "../grants/CodeRedemption.ts"

/** Grant that an exchange opens, and the handle that its refresh tokens carry. */
export interface Opening {
  readonly grantId: GrantId
  readonly handle: Buffer
}

/** A request to redeem a code, as its client repeats it. */
export type ExchangeRequest = Omit<Redemption, "grantId" | "handleDigest">

/**
 * Exchanges of this node that got no answer, because the database gave none, their client could not be authenticated
 * for the moment, or their time was over: their codes may be spent nevertheless, or be spent a moment later. The same
 * request with the same credentials, which comes once more within the life of the code, stands for the same grant; any
 * other would be a replay, which ends the grant (RFC 6749 §4.1.2).
 */
export class UnansweredExchanges {
  readonly #openings = new Map<string, { readonly opening: Opening; readonly until: number }>()
  readonly #lifetime: number

  /** Life of a code, in milliseconds. */
  constructor(lifetime: number) {
    this.#lifetime = lifetime
  }

  add(request: ExchangeRequest, opening: Opening, now: number): void {
    for (const [key, { until }] of this.#openings) {
      if (until > now && this.#openings.size < capacity) break
      this.#openings.delete(key)
    }
    this.#openings.set(keyOf(request), { opening, until: now + this.#lifetime })
  }

  /** Gives out what an earlier attempt of the request opens: to one repeat, so that a second one is a replay. */
  take(request: ExchangeRequest, now: number): Opening | undefined {
    if (this.#openings.size === 0) return undefined
    const key = keyOf(request)
    const found = this.#openings.get(key)
    this.#openings.delete(key)
    return found !== undefined && found.until > now ? found.opening : undefined
  }
}

/** Hashed to one length, whatever was sent: nobody has checked the client and the redirect URI. */
const keyOf = ({ clientId, codeChallenge, digest, redirectUri, resource, secretDigest }: ExchangeRequest): string =>
  hex(Credential.digest(
    JSON.stringify([hex(digest), clientId, secretDigest && hex(secretDigest), redirectUri, codeChallenge, resource])
  ))

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

/** In an outage, a flood of codes that do not exist fills no more than this; the oldest go first. */
const capacity = 10_000
