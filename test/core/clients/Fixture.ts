import { DateTime, Option, Result } from "effect"
import * as Lifecycle from "../../../src/core/clients/life/Lifecycle.ts"
import type { ClientEdit, RegistrationInput } from "../../../src/core/clients/life/Registration.ts"
import { ManagedClient } from "../../../src/core/clients/records/Client.ts"
import { nothingSaid } from "../../../src/core/clients/records/ReviewedFields.ts"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { ClientId, UserId } from "../../../src/domain/Ids.ts"

export const at = (minute: number) => DateTime.makeUnsafe(minute * 60_000)

export const pending = new ManagedClient({
  id: ClientId.make("slk_client_1"),
  ownerId: UserId.make("dev"),
  kind: "confidential",
  legacy: false,
  status: "pending",
  name: "Calendar Sync",
  purpose: "Keeps two calendars in step.",
  refreshGrace: "until-used",
  ...nothingSaid,
  website: "https://app.example",
  logoUrl: null,
  logoDigest: null,
  redirectUris: ["https://app.example/callback"],
  scopes: ["BOOKING_READ", "PROFILE_READ"],
  optionalScopes: [],
  rejectionReason: null,
  submittedAt: at(0),
  reviewedAt: null,
  createdAt: at(0),
  migratedAt: null,
  scopeWords: [],
  updatedAt: at(0),
  version: 1,
  change: null
})

/** Transition that a command makes. */
export const transitionOf = (result: ReturnType<typeof Lifecycle.edit>) =>
  Option.getOrThrow(Option.fromUndefinedOr(Result.getOrThrow(result)))

/** Error of a refused command. */
export const errorOf = (result: ReturnType<typeof Lifecycle.edit>) => Option.getOrThrow(Result.getFailure(result))

export const approved = transitionOf(Lifecycle.approve(builtIn(), pending, 1, at(1))).client
export const rejected = transitionOf(Lifecycle.reject(pending, "Too vague.", 1, at(1))).client
export const suspended = transitionOf(Lifecycle.suspend(approved, "Abuse.", undefined, at(2))).client
export const legacy = new ManagedClient({ ...approved, legacy: true, scopes: [] })
export const edited = (client: ManagedClient, edit: ClientEdit) =>
  transitionOf(Lifecycle.edit(builtIn(), client, edit, at(5)))

/** Registration of a new client. */
export const registration: RegistrationInput = {
  kind: "confidential",
  name: "Calendar Sync",
  purpose: "Keeps two calendars in step.",
  website: "https://app.example",
  logoUrl: null,
  redirectUris: ["https://app.example/callback"],
  scopes: ["BOOKING_READ", "PROFILE_READ"]
}

/** Name of the n-th app that a test registers, so that no two are twins. */
export const nameOf = (name: string, n: number): string => `${name} ${n + 1}`
