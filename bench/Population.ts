import { hash } from "node:crypto"
import * as Credential from "../src/domain/Credential.ts"

/** Rows that a benchmark's database starts with. Each value follows from its number, so no list is passed around. */
export interface Population {
  /** Confidential, approved clients that take part in the load. */
  readonly clients: number
  readonly users: number
  /** Authorization codes waiting to be exchanged. */
  readonly codes: number
  /** `true` if the codes were asked for with a challenge, for `codeVerifier` (RFC 7636). */
  readonly pkce?: boolean
}

export const scopes = ["BOOKING_READ", "BOOKING_WRITE", "PROFILE_READ"] as const
export const redirectUri = "https://app.example/callback"

/** One for all codes: no server here can make use of that. */
export const codeVerifier = "a-verifier-of-the-least-length-that-is-allowed"
export const codeChallenge = hash("sha256", codeVerifier, "base64url")

export const clientId = (n: number): string => `bench_client_${n}`
export const clientSecret = (n: number): string => Credential.format("clientSecret", body(n))
export const userId = (n: number): string => `bench_user_${n}`
export const code = (n: number): string => Credential.format("code", body(n))

/** Client and user of a code: neighbours belong to different ones. */
export const clientOfCode = (population: Population, n: number): number => n % population.clients
export const userOfCode = (population: Population, n: number): number => n % population.users

const body = (n: number): string => String(n).padStart(43, "0")
