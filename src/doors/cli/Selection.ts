import { Effect, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { Accounts } from "../../core/accounts/local/Accounts.ts"
import { ClientsRepo } from "../../core/clients/records/ClientsRepo.ts"
import { NotFound } from "../../domain/ApiError.ts"
import { UserId } from "../../domain/Ids.ts"
import { Instant } from "../../domain/Instant.ts"

// Flags with which several commands say what they are about.

/** A point in time. */
export const instant = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withSchema(Instant),
    Flag.withDescription(`${description}, as in 2026-11-22T09:30:00Z`),
    Flag.optional
  )

/** Maximum number of items of an answer. */
export const limit = Flag.Int("limit").pipe(
  Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))),
  Flag.withDescription("The most to list, up to 10000"),
  Flag.withDefault(100)
)

/** Id of a local account with this address; a text that is no address is the id of a user. */
export const findUser = Effect.fnUntraced(function*(user: string) {
  const account = yield* (yield* Accounts).findByEmail(user)
  if (Option.isSome(account)) return account.value.id
  // Taken for an id, a mistyped address would select nothing and look like success.
  if (!user.includes("@")) return UserId.make(user)
  return yield* new NotFound({ code: "account_not_found", message: `There is no account ${user}.` })
})

export const findClient = Effect.fnUntraced(function*(id: string) {
  const client = yield* (yield* ClientsRepo).find(id)
  if (Option.isSome(client)) return client.value.id
  return yield* new NotFound({ code: "client_not_found", message: `There is no app ${id}.` })
})
