import { Console, Effect, Layer, Option, Schema } from "effect"
import { Command, Flag, Prompt } from "effect/cli"
import { Accounts } from "../../core/accounts/Accounts.ts"
import { LocalAccounts } from "../../core/accounts/LocalAccounts.ts"
import { StoredClients } from "../../core/clients/ClientServices.ts"
import { ClientsRepo } from "../../core/clients/ClientsRepo.ts"
import { StoredGrants } from "../../core/grants/GrantServices.ts"
import { type GrantCount, type GrantSelection, OperatorRevocation } from "../../core/grants/OperatorRevocation.ts"
import { BadRequest, NotFound } from "../../domain/ApiError.ts"
import { UserId } from "../../domain/Ids.ts"
import { actor, Infrastructure } from "./Services.ts"

const instant = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withSchema(Schema.DateTimeUtcFromString),
    Flag.withDescription(`${description}, as in 2026-11-22T09:30:00Z`),
    Flag.optional
  )

const end = Command.make(
  "end",
  {
    user: Flag.String("user").pipe(
      Flag.withDescription("Only the grants of this user: an id, or the e-mail address of a local account"),
      Flag.optional
    ),
    client: Flag.String("client").pipe(Flag.withDescription("Only the grants of this app, by its id"), Flag.optional),
    since: instant("since", "Only grants that were given at this time or later"),
    until: instant("until", "Only grants that were given before this time"),
    dryRun: Flag.Boolean("dry-run").pipe(Flag.withDescription("Count them and end none"), Flag.withDefault(false)),
    yes: Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask for a confirmation"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function*({ client, dryRun, since, until, user, yes }) {
    const selection: GrantSelection = {
      userId: Option.isSome(user) ? yield* findUser(user.value) : undefined,
      clientId: Option.isSome(client) ? yield* findClient(client.value) : undefined,
      since: Option.getOrUndefined(since),
      until: Option.getOrUndefined(until)
    }
    if (Object.values(selection).every((value) => value === undefined)) return yield* nothingSelected
    const revocation = yield* OperatorRevocation
    const found = yield* revocation.count(selection)
    if (dryRun) return yield* Console.log(`Would end ${describe(found)}.`)
    if (found.grants > 0 && !yes) yield* confirm(found)
    yield* Console.log(`Ended ${describe(yield* revocation.end(selection, actor))}.`)
  })
).pipe(
  Command.withDescription(
    "End what users gave to apps: by user, app or time, or several of these. Their tokens stop working at once"
  )
)

/** `slotkey grants …` */
export const grants = Command.make("grants").pipe(
  Command.withDescription("What users gave to apps"),
  Command.withSubcommands([end]),
  Command.provide(
    OperatorRevocation.layer.pipe(
      Layer.provide(StoredGrants),
      Layer.provideMerge(Layer.mergeAll(LocalAccounts, StoredClients)),
      Layer.provide(Infrastructure)
    )
  )
)

/** The id of a local account with this address; a text that is no address is the id of a user. */
const findUser = Effect.fnUntraced(function*(user: string) {
  const account = yield* (yield* Accounts).findByEmail(user)
  if (Option.isSome(account)) return account.value.id
  // Taken for an id, a mistyped address would end nothing and look like success.
  if (!user.includes("@")) return UserId.make(user)
  return yield* new NotFound({ code: "account_not_found", message: `There is no account ${user}.` })
})

const findClient = Effect.fnUntraced(function*(id: string) {
  const client = yield* (yield* ClientsRepo).find(id)
  if (Option.isSome(client)) return client.value.id
  return yield* new NotFound({ code: "client_not_found", message: `There is no app ${id}.` })
})

const confirm = Effect.fnUntraced(function*(found: GrantCount) {
  if (!process.stdin.isTTY) return yield* notConfirmed
  if (!(yield* Prompt.Confirm({ message: `End ${describe(found)}?` }))) return yield* declined
})

const describe = ({ clients, grants, users }: GrantCount): string =>
  `${counted(grants, "grant")} of ${counted(users, "user")} to ${counted(clients, "app")}`

const counted = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

const nothingSelected = new BadRequest({
  code: "nothing_selected",
  message: "Name a user, an app or a time: --user, --client, --since, --until."
})
const notConfirmed = new BadRequest({
  code: "not_confirmed",
  message: "Nothing was ended. Say --dry-run to count, and --yes to end without a question."
})
const declined = new BadRequest({ code: "declined", message: "Nothing was ended." })
