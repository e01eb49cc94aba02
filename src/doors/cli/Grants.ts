import { DateTime, Effect, Layer, Option, Schema, Struct } from "effect"
import { Command, Flag } from "effect/cli"
import { LocalAccounts } from "../../core/accounts/LocalAccounts.ts"
import { operator } from "../../core/audit/Operator.ts"
import { StoredClients } from "../../core/clients/ClientServices.ts"
import { StoredGrants } from "../../core/grants/GrantServices.ts"
import { type GrantCount, type GrantSelection, operatorRevocation } from "../../core/grants/OperatorRevocation.ts"
import { LimitServices } from "../../core/limits/LimitServices.ts"
import { UsageReports } from "../../core/usage/UsageReports.ts"
import { RightUse } from "../../core/usage/Use.ts"
import { BadRequest } from "../../domain/ApiError.ts"
import { counted } from "../../domain/Counted.ts"
import { ClientId, GrantId, UserId } from "../../domain/Ids.ts"
import { Outbox } from "../../foundation/jobs/outbox/Outbox.ts"
import { confirm, yes } from "./Confirmation.ts"
import { optionalText, toggle } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import * as Progress from "./Progress.ts"
import { findClient, findUser, instant, limit } from "./Selection.ts"
import { Infrastructure } from "./Services.ts"

const Services = StoredGrants.pipe(
  Layer.provideMerge(Layer.mergeAll(LocalAccounts, StoredClients, UsageReports.layer)),
  Layer.provide([LimitServices, Outbox.layer]),
  Layer.provideMerge(Infrastructure)
)

const command = OperatorCommand.over(Services)

const selectors = {
  user: optionalText("user", "Only the grants of this user: an id, or the e-mail address of a local account"),
  client: optionalText("client", "Only the grants of this app, by its id"),
  since: instant("since", "Only grants that were given at this time or later"),
  until: instant("until", "Only grants that were given before this time")
}

const select = Effect.fnUntraced(function*(
  { client, since, until, user }: Command.Command.Config.Infer<typeof selectors>
) {
  const selection: GrantSelection = {
    userId: Option.isSome(user) ? yield* findUser(user.value) : undefined,
    clientId: Option.isSome(client) ? yield* findClient(client.value) : undefined,
    since: Option.getOrUndefined(since),
    until: Option.getOrUndefined(until)
  }
  return selection
})

const FoundGrant = Schema.Struct({
  id: GrantId,
  userId: UserId,
  clientId: ClientId,
  /** `null`: a legacy grant, which has no scope restriction. */
  scopes: Schema.NullOr(Schema.Array(Schema.String)),
  createdAt: Schema.DateTimeUtcFromDate,
  rotatedAt: Schema.DateTimeUtcFromDate,
  expiresAt: Schema.DateTimeUtcFromDate
})

const find = command({
  name: "find",
  description: "List live grants, the newest first: id, user, app, given or imported, last refreshed, scopes",
  examples: [
    ["grants find --user ann@example.com", "The apps that act for Ann"],
    ["grants find --client CLIENT_ID --since 2026-11-22T09:30:00Z --json", "Those given to an app since a moment"]
  ],
  input: {
    ...selectors,
    limit,
    after: Flag.String("after").pipe(
      Flag.withSchema(Schema.String.check(Schema.isUUID())),
      Flag.withDescription("The next page: `next` of the one before"),
      Flag.optional
    )
  },
  answer: Schema.Struct({ grants: Schema.Array(FoundGrant), next: Schema.NullOr(GrantId) }),
  run: Effect.fnUntraced(function*({ after, limit, ...flags }) {
    const revocation = yield* operatorRevocation
    const before = Option.getOrUndefined(Option.map(after, (id) => GrantId.make(id)))
    const grants = yield* revocation.find(yield* select(flags), { before, limit })
    return { grants, next: grants.length < limit ? null : grants.at(-1)?.id ?? null }
  }),
  lines: ({ grants, next }) => [
    ...grants.map(({ clientId, createdAt, id, rotatedAt, scopes, userId }) =>
      [
        id,
        userId,
        clientId,
        DateTime.formatIso(createdAt),
        DateTime.formatIso(rotatedAt),
        scopes === null ? "unrestricted" : scopes.join(" ")
      ].join("\t")
    ),
    ...(next === null ? [] : [`More with --after ${next}`])
  ]
})

const end = command({
  name: "end",
  description:
    "End what users gave to apps: by user, app or time, or several of these. Their tokens stop working at once",
  examples: [
    ["grants end --user ann@example.com --dry-run", "How many there are"],
    ["grants end --client CLIENT_ID --yes", "End all grants of an app without a question"]
  ],
  input: {
    ...selectors,
    dryRun: toggle("dry-run", "Count them and end none"),
    yes
  },
  answer: Schema.Struct({ ended: Schema.Boolean, grants: Schema.Int, users: Schema.Int, clients: Schema.Int }),
  run: Effect.fnUntraced(function*({ dryRun, yes, ...flags }) {
    const selection = yield* select(flags)
    if (Object.values(selection).every((value) => value === undefined)) return yield* nothingSelected
    const revocation = yield* operatorRevocation
    const found = yield* Progress.during("Counting grants")(revocation.count(selection))
    if (dryRun) return { ended: false, ...found }
    if (found.grants > 0) yield* confirm(`End ${describe(found)}?`, yes)
    return { ended: true, ...yield* Progress.during("Ending grants")(revocation.end(selection, operator)) }
  }),
  lines: ({ ended, ...count }) => [`${ended ? "Ended" : "Would end"} ${describe(count)}.`]
})

const UsedGrant = Schema.Struct({
  ...Struct.omit(FoundGrant.fields, ["rotatedAt", "expiresAt"]),
  lastAt: Schema.NullOr(Schema.DateTimeUtcFromDate),
  /** False while more counts wait to be added up than are read with a page. */
  isCurrent: Schema.Boolean,
  uses: Schema.Array(RightUse)
})

const usage = OperatorCommand.makeStream({
  name: "usage",
  description:
    "Print what live grants were used for, the newest first, each as a line of JSON: calls by what they needed",
  examples: [
    ["grants usage --client CLIENT_ID --json > usage.jsonl", "What an app used the grants of its users for"],
    ["grants usage --user ann@example.com", "What apps used for Ann"]
  ],
  input: selectors,
  item: UsedGrant,
  run: Effect.fnUntraced(function*(flags, print) {
    const { tell } = yield* Progress.make
    const revocation = yield* operatorRevocation
    const reports = yield* UsageReports
    const selection = yield* select(flags)
    let before: GrantId | undefined
    let printed = 0
    for (let more = true; more;) {
      const grants = yield* revocation.find(selection, { before, limit: pageSize })
      const uses = yield* reports.ofGrants(grants.map(({ id }) => id))
      for (const { clientId, createdAt, id, scopes, userId } of grants) {
        const { isCurrent, lastAt, uses: ofGrant } = uses.get(id) ?? { isCurrent: true, lastAt: null, uses: [] }
        yield* print({ id, userId, clientId, scopes, createdAt, lastAt, isCurrent, uses: ofGrant })
      }
      printed += grants.length
      yield* tell("grants printed", printed)
      before = grants.at(-1)?.id
      more = grants.length === pageSize
    }
  })
})

const pageSize = 500

/** `slotkey grants …` */
export const grants = Command.make("grants").pipe(
  Command.withDescription("What users gave to apps"),
  Command.withSubcommands([find, end, usage.pipe(Command.provide(Services))])
)

const describe = ({ clients, grants, users }: GrantCount): string =>
  `${counted(grants, "grant")} of ${counted(users, "user")} to ${counted(clients, "app")}`

const nothingSelected = new BadRequest({
  code: "nothing_selected",
  message: "Name a user, an app or a time: --user, --client, --since, --until."
})
