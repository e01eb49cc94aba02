import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { searchOwners } from "../../core/accounts/people/OwnerSearch.ts"
import { operator } from "../../core/audit/Operator.ts"
import { ManagedClient } from "../../core/clients/records/Client.ts"
import { ClientReview } from "../../core/clients/review/ClientReview.ts"
import { QueueState } from "../../core/clients/review/QueueState.ts"
import { SecretInfo } from "../../core/clients/secrets/SecretInfo.ts"
import { SecretVault } from "../../core/clients/secrets/SecretVault.ts"
import { GrantStore } from "../../core/grants/GrantStore.ts"
import { inWords } from "../../core/grants/Usage.ts"
import { MigrationAudit } from "../../core/legacy/migration/MigrationAudit.ts"
import { MigrationAudits } from "../../core/legacy/migration/MigrationAudits.ts"
import { verdictInEnglish } from "../../core/legacy/migration/VerdictInEnglish.ts"
import { Conflict } from "../../domain/ApiError.ts"
import { ClientId } from "../../domain/Ids.ts"
import { confirm, yes } from "./Confirmation.ts"
import { text, toggle } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import * as Progress from "./Progress.ts"
import { ClientCommandServices, getAccount } from "./Services.ts"

const command = OperatorCommand.over(ClientCommandServices)

const id = Argument.String("id").pipe(Argument.withDescription("The id of the app"))

const seenVersion = Flag.Int("seen-version").pipe(
  Flag.withDescription("The version that `show` printed: another one is refused, so that nothing is decided blindly")
)

const reason = text("reason", "The reason; the owner of the app reads it")

const acceptTwins = Flag.String("accept-twin").pipe(
  Flag.withDescription("The id of an approved app whose name users cannot tell from this one; once for each"),
  Flag.atLeast(0)
)

const without = Flag.String("without").pipe(
  Flag.withDescription("A scope to leave out of the approval; once for each"),
  Flag.atLeast(0)
)

/** The command line has claimed nothing. */
const statuses = QueueState.literals.filter((state) => state !== "mine")

const list = command({
  name: "list",
  description: "List apps: id, status, kind, owner, name. Those that wait for a decision come first",
  examples: [
    ["clients list --status waiting", "What waits for a decision, the longest waiting first"],
    [
      "clients list --search display --json",
      "The apps with this in their name, website, redirect host or owner, as JSON"
    ]
  ],
  input: {
    status: Flag.Literals("status", statuses).pipe(
      Flag.withDescription(
        "Only apps of this status; `waiting` are those with something to decide, `imported` those that wait as they came from another server, `reported` those with reports of users to deal with, `ownerless` those whose owner was shut out or has left"
      ),
      Flag.withDefault("all")
    ),
    search: Flag.String("search").pipe(
      Flag.withDescription(
        "Part of a name, a website, the host of a redirect URI, or the owner's name or e-mail address; a scope; or a whole id"
      ),
      Flag.withDefault("")
    ),
    page: Flag.Int("page").pipe(Flag.withDescription("The page, of 25 apps each"), Flag.withDefault(1))
  },
  answer: Schema.Struct({
    clients: Schema.Array(ManagedClient),
    total: Schema.Int,
    page: Schema.Int,
    pages: Schema.Int
  }),
  run: Effect.fnUntraced(function*({ page, search, status }) {
    const owners = yield* searchOwners(search)
    return yield* (yield* ClientReview).queue({ state: status, search, owners, page })
  }),
  lines: ({ clients, page, pages, total }) => [
    ...clients.map((client) => {
      return [client.id, statusOf(client), client.kind, client.ownerId, client.name].join("\t")
    }),
    ...(pages > 1 ? [`Page ${page} of ${pages}; ${total} apps.`] : [])
  ]
})

/** Status of an app, and of the change that its owner wants. */
const statusOf = ({ change, status }: ManagedClient): string =>
  change === null ? status : `${status}, change ${change.isWaiting ? "waiting" : "rejected"}`

const show = command({
  name: "show",
  description:
    "Show an app with its secrets, of which only the last four characters are known, its waiting change, and how far it is on its way to scopes",
  examples: [["clients show CLIENT_ID", "All about one app, with the version that a decision names"]],
  input: { id },
  answer: Schema.Struct({
    client: ManagedClient,
    secrets: Schema.Array(SecretInfo),
    /** Findings of an audit made now; `null` for an app that always had scopes. */
    migration: Schema.NullOr(MigrationAudit)
  }),
  run: Effect.fnUntraced(function*({ id }) {
    const client = yield* (yield* ClientReview).get(id)
    return {
      client,
      secrets: yield* (yield* SecretVault).list(client.id),
      migration: Option.getOrNull(yield* (yield* MigrationAudits).assess(client.id))
    }
  }),
  lines: ({ client, migration, secrets }) => [
    ...fields("", { ...client, change: undefined }),
    ...fields("change.", client.change ?? {}),
    ...(migration === null
      ? []
      : [`migration\t${migration.verdict}\t${verdictInEnglish(migration.verdict, migration.unscopedGrants)}`]),
    ...secrets.map(({ createdAt, endsAt, id, isOverdue, lastFour, lastUsedAt }) =>
      [
        "secret",
        id,
        `…${lastFour}`,
        `made ${instant(createdAt)}`,
        `used ${instant(lastUsedAt)}`,
        `ends ${instant(endsAt)}${isOverdue ? ", overdue" : ""}`
      ].join("\t")
    )
  ]
})

const approve = command({
  name: "approve",
  description: "Approve an app, or the change of it that waits",
  examples: [
    ["clients approve CLIENT_ID --seen-version 1", "Approve what `clients show` printed as version 1"],
    [
      "clients approve CLIENT_ID --seen-version 1 --break-old-urls",
      "Approve the scopes of a legacy app although they break URLs or calls that were seen"
    ],
    [
      "clients approve CLIENT_ID --seen-version 1 --accept-twin OTHER_ID",
      "Approve an app although users cannot tell its name from that of another one"
    ],
    [
      "clients approve CLIENT_ID --seen-version 1 --without SCOPE",
      "Approve an app, or a change of it, without one of the scopes that it asks for"
    ]
  ],
  input: {
    id,
    seenVersion,
    acceptTwins,
    without,
    breakOldUrls: toggle(
      "break-old-urls",
      "Approve scopes of a legacy app that break what was seen of it, or before enough was seen"
    )
  },
  answer: ManagedClient,
  run: Effect.fnUntraced(function*({ acceptTwins, breakOldUrls, id, seenVersion, without }) {
    return yield* (yield* ClientReview).approve(operator, id, seenVersion, { acceptTwins, breakOldUrls, without })
  }),
  lines: (client) => [
    client.isWaiting
      ? `Kept as the first of two approvals of ${named(client)}: a reviewer has to approve it, too.`
      : `Approved ${named(client)}.`
  ]
})

const reject = command({
  name: "reject",
  description: "Reject an app, or the change of it that waits; an approved version keeps serving",
  examples: [
    ["clients reject CLIENT_ID --seen-version 1 --reason 'The website is not yours.'", "Reject, and tell the owner why"]
  ],
  input: { id, seenVersion, reason },
  answer: ManagedClient,
  run: Effect.fnUntraced(function*({ id, reason, seenVersion }) {
    return yield* (yield* ClientReview).reject(operator, id, reason, seenVersion)
  }),
  lines: (client) => [`Rejected ${named(client)}.`]
})

const undoRejection = command({
  name: "undo-rejection",
  description: "Take back the rejection of an app, or of a change of it: it waits for review again, at its old place",
  examples: [
    [
      "clients undo-rejection CLIENT_ID --seen-version 2 --reason 'The website is yours after all.'",
      "Put it back into the queue, and tell the owner why"
    ]
  ],
  input: { id, seenVersion, reason },
  answer: ManagedClient,
  run: Effect.fnUntraced(function*({ id, reason, seenVersion }) {
    return yield* (yield* ClientReview).undoRejection(operator, id, reason, seenVersion)
  }),
  lines: (client) => [`Took the rejection of ${named(client)} back.`]
})

const suspend = command({
  name: "suspend",
  description: "Stop the use of an approved app at once, on every server: its tokens are refused until it is resumed",
  examples: [["clients suspend CLIENT_ID --reason 'Its secret is public.' --yes", "Stop an app without a question"]],
  input: { id, reason, yes },
  answer: ManagedClient,
  run: Effect.fnUntraced(function*({ id, reason, yes }) {
    const review = yield* ClientReview
    const client = yield* review.get(id)
    yield* confirm(`Suspend ${named(client)}? None of its tokens will work, for ${yield* usersOf(client)}.`, yes)
    return yield* review.suspend(operator, id, reason)
  }),
  lines: (client) => [`Suspended ${named(client)}.`]
})

const resume = command({
  name: "resume",
  description: "Let a suspended app be used again",
  examples: [["clients resume CLIENT_ID", "Let it be used again, with the tokens it has"]],
  input: { id, acceptTwins },
  answer: ManagedClient,
  run: Effect.fnUntraced(function*({ acceptTwins, id }) {
    return yield* (yield* ClientReview).resume(operator, id, undefined, { acceptTwins })
  }),
  lines: (client) => [`Resumed ${named(client)}.`]
})

const give = command({
  name: "give",
  description:
    "Give an app to another owner, as before theirs leaves. Its users notice nothing; both owners get a mail",
  examples: [["clients give CLIENT_ID --to bob@example.com --yes", "Bob's from now on; new secrets should follow"]],
  input: {
    id,
    to: text("to", "The e-mail address of a local account, or the id of any, that owns it from now on"),
    yes
  },
  answer: ManagedClient,
  run: Effect.fnUntraced(function*({ id, to, yes }) {
    const review = yield* ClientReview
    const client = yield* review.get(id)
    const owner = yield* getAccount(to)
    if (Option.isNone(yield* (yield* IdentitySource).find(owner.id))) return yield* disabledOwner
    yield* confirm(`Give ${named(client)} to ${owner.name}? The owner before loses it at once.`, yes)
    return yield* review.give(operator, id, owner.id)
  }),
  lines: (client) => [`Gave ${named(client)} to ${client.ownerId}.`]
})

const rotateSecret = command({
  name: "rotate-secret",
  description: "Generate another secret and print it, once. The one in use goes on working unless --revoke-others",
  examples: [
    ["clients rotate-secret CLIENT_ID", "A second secret; the owner revokes the first when the app uses the new one"],
    ["clients rotate-secret CLIENT_ID --days 365", "The same, which ends after a year"],
    ["clients rotate-secret CLIENT_ID --revoke-others --yes", "After a leak: the new secret works, and no other"]
  ],
  input: {
    id,
    revokeOthers: toggle(
      "revoke-others",
      "Revoke the app's other secrets at once: the app is shut out until it has the new one"
    ),
    days: Flag.Int("days").pipe(
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 }))),
      Flag.optional,
      Flag.withDescription("The days after which the new secret ends; without them it works until it is revoked")
    ),
    yes
  },
  answer: Schema.Struct({ ...SecretInfo.fields, secret: Schema.String }),
  run: Effect.fnUntraced(function*({ days, id, revokeOthers, yes }) {
    const vault = yield* SecretVault
    const client = yield* (yield* ClientReview).get(id)
    if (revokeOthers) yield* confirm(`Revoke the secrets of ${named(client)}?`, yes)
    const clientId = ClientId.make(client.id)
    const now = yield* DateTime.now
    const endsAt = Option.getOrNull(Option.map(days, (days) => DateTime.add(now, { days })))
    const { info, secret } = yield* (revokeOthers
      ? vault.replaceAll(clientId, { by: operator, endsAt })
      : vault.generate(clientId, { by: operator, endsAt }))
    return { ...info, secret: Redacted.value(secret) }
  }),
  // Standard output holds the secret alone, so that a script can read it.
  lines: ({ secret }) => [secret]
})

const remove = command({
  name: "delete",
  description: "Delete an app with its secrets, codes and grants. Its tokens stop working at once",
  examples: [["clients delete CLIENT_ID --yes", "Delete it without a question"]],
  input: { id, yes },
  answer: Schema.Struct({ id: ClientId, name: Schema.String }),
  run: Effect.fnUntraced(function*({ id, yes }) {
    const review = yield* ClientReview
    const client = yield* review.get(id)
    yield* confirm(`Delete ${named(client)} with all that ${yield* usersOf(client)} gave to it?`, yes)
    yield* Progress.during(`Deleting ${named(client)}`)(review.remove(operator, id))
    return { id: client.id, name: client.name }
  }),
  lines: (client) => [`Deleted ${named(client)}.`]
})

/** `slotkey clients …` */
export const clients = Command.make("clients").pipe(
  Command.withDescription("The apps, and the decisions about them"),
  Command.withSubcommands([list, show, approve, reject, undoRejection, suspend, resume, give, rotateSecret, remove])
)

const disabledOwner = new Conflict({
  code: "account_disabled",
  message: "This account is disabled: nobody could look after the app."
})

/** Users with a live grant of an app, as a question names them. */
const usersOf = Effect.fnUntraced(function*({ id }: { readonly id: ClientId }) {
  return inWords(yield* (yield* GrantStore).usage(id))
})

const named = ({ id, name }: { readonly id: string; readonly name: string }): string => `${name} (${id})`

const instant = (at: DateTime.Utc | null): string => at === null ? "never" : DateTime.formatIso(at)

const fields = (prefix: string, values: object): ReadonlyArray<string> =>
  Object.entries(values).flatMap(([name, value]) => value === undefined ? [] : [`${prefix}${name}\t${shown(value)}`])

const shown = (value: unknown): string =>
  DateTime.isDateTime(value) ? DateTime.formatIso(value) : Array.isArray(value) ? value.join(" ") : String(value ?? "")
