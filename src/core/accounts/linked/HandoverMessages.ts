import { Redacted } from "effect"
import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose"

// Request and the answer of the hand-over, as JWS in compact form (RFC 7515) with the MAC `HS256` under a key that the
// platform and this server share (docs/decisions/hand-over.md). Each says by its `typ` which of the two it is (RFC 8725
// §3.11).

type Key = Redacted.Redacted

/** Signs the claims of a request. */
export const signRequest = (claims: JWTPayload, key: Key): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ: "handover-request+jwt" }).sign(bytes(key))

interface Expected {
  readonly keys: ReadonlyArray<Key>
  readonly issuer: string
  readonly audience: string
  readonly now: Date
}

/**
 * Claims of an answer that was signed in the last `answerLifetime` seconds; rejects with an error of jose. An answer
 * that seems to come from the future is taken if the platform's clock may be as much ahead.
 */
export const verifyAnswer = async (answer: string, expected: Expected): Promise<JWTPayload> => {
  let refusal: unknown
  for (const key of expected.keys) {
    try {
      const { payload } = await jwtVerify(answer, bytes(key), {
        algorithms: [algorithm],
        typ: "handover-answer+jwt",
        issuer: expected.issuer,
        audience: expected.audience,
        currentDate: expected.now,
        // An age is allowed this much more.
        maxTokenAge: answerLifetime - clockTolerance,
        clockTolerance
      })
      return payload
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      refusal = error
    }
  }
  throw refusal
}

const algorithm = "HS256"

/** Seconds by which the platform's clock may be ahead. */
export const clockTolerance = 5

/** Seconds. */
const answerLifetime = 60

const bytes = (key: Key): Uint8Array => new TextEncoder().encode(Redacted.value(key))
