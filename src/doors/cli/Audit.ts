import { DateTime, Effect, Option, Schedule, Schema, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { AuditLog, Entry, type Filter } from "../../core/audit/AuditLog.ts"
import { ClientId } from "../../domain/Ids.ts"
import { optionalText } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import * as Progress from "./Progress.ts"
import { findUser, instant, limit } from "./Selection.ts"
import { AuditCommandServices, forMany } from "./Services.ts"

const who = {
  actor: optionalText(
    "actor",
    "Only what this one did: the id of an account or app, or `cli` or `dashboard` for operators"
  ),
  act: optionalText("act", "Only this action, such as client.approved"),
  client: optionalText("client", "Only entries about this app, by its id; it may be deleted"),
  user: optionalText("user", "Only entries about this user: an id, or the e-mail address of a local account")
}

const selectors = {
  ...who,
  since: instant("since", "Only entries of this time or later"),
  until: instant("until", "Only entries before this time")
}

const list = OperatorCommand.make({
  name: "list",
  description: "List entries of the trail, the newest first: time, actor, action, app, user, details",
  examples: [
    ["audit list --act client.approved --since 2026-11-01T00:00:00Z", "Who approved what this month"],
    ["audit list --user ann@example.com --limit 20", "The last twenty entries about Ann"]
  ],
  input: {
    ...selectors,
    limit,
    after: Flag.String("after").pipe(
      Flag.withSchema(Schema.String.check(Schema.isPattern(/^\d{1,18}$/))),
      Flag.withDescription("The next page: `next` of the one before"),
      Flag.optional
    )
  },
  answer: Schema.Struct({ entries: Schema.Array(Entry), next: Schema.NullOr(Schema.String) }),
  run: Effect.fnUntraced(function*({ after, limit, ...flags }) {
    const filter = yield* select(flags)
    const entries = yield* (yield* AuditLog).list({ ...filter, limit, before: Option.getOrUndefined(after) })
    return { entries, next: entries.length < limit ? null : entries.at(-1)?.id ?? null }
  }, forMany),
  lines: ({ entries, next }) => [...entries.map(line), ...(next === null ? [] : [`More with --after ${next}`])]
})

const follow = OperatorCommand.makeStream({
  name: "follow",
  description: "Print entries of the trail as they are written, until it is interrupted",
  examples: [[
    "audit follow --act secret.revoked --json",
    "Each revoked secret from now on, one JSON object in a line"
  ]],
  input: who,
  item: Entry,
  line,
  run: Effect.fnUntraced(function*(flags, print) {
    const audit = yield* AuditLog
    const filter = yield* select({ ...flags, since: Option.none(), until: Option.none() })
    let last = yield* audit.newestId
    yield* Effect.gen(function*() {
      const upTo = yield* audit.newestId
      if (upTo === last) return
      // An id is given when an entry is written, and the entry is seen when its transaction commits.
      yield* audit.writersEnded
      yield* Stream.runForEach(entriesAfter(last, { ...filter, upTo }), print)
      last = upTo
    }).pipe(Effect.repeat(Schedule.spaced("1 second")))
  })
})

const exportAll = OperatorCommand.makeStream({
  name: "export",
  description: "Print all entries of a selection as JSON lines, the oldest first",
  examples: [["audit export --until 2026-01-01T00:00:00Z > audit-2025.jsonl", "What to keep before it is swept"]],
  input: selectors,
  item: Entry,
  run: Effect.fnUntraced(function*(flags, print) {
    const { tell } = yield* Progress.make
    yield* entriesAfter("0", yield* select(flags)).pipe(
      Stream.tap(print),
      Stream.mapAccum(() => 0, (count) => [count + 1, [count + 1]]),
      Stream.runForEach((count) => tell("entries exported", count))
    )
  }, forMany)
})

/** `slotkey audit …` */
export const audit = Command.make("audit").pipe(
  Command.withDescription("The trail: who did what to which app, account or grant"),
  Command.withSubcommands([
    list.pipe(Command.provide(AuditCommandServices)),
    follow.pipe(Command.provide(AuditCommandServices)),
    exportAll.pipe(Command.provide(AuditCommandServices))
  ])
)

const entriesAfter = (id: string, filter: Filter) =>
  Stream.paginate(id, (last) =>
    Effect.gen(function*() {
      const entries = yield* (yield* AuditLog).listAfter(last, { ...filter, limit: pageSize })
      return [entries, Option.map(Option.fromUndefinedOr(entries.at(-1)), ({ id }) => id)] as const
    }))

const pageSize = 1_000

type Selectors = Command.Command.Config.Infer<typeof selectors>

const select = Effect.fnUntraced(function*({ act, actor, client, since, until, user }: Selectors) {
  const filter: Filter = {
    actor: Option.getOrUndefined(actor),
    actions: Option.getOrUndefined(Option.map(act, (act) => [act])),
    clientId: Option.getOrUndefined(Option.map(client, (id) => ClientId.make(id))),
    userId: Option.isSome(user) ? yield* findUser(user.value) : undefined,
    since: Option.getOrUndefined(since),
    until: Option.getOrUndefined(until)
  }
  return filter
})

function line({ action, actor, at, clientId, details, userId }: Entry): string {
  return [DateTime.formatIso(at), actor, action, clientId ?? "", userId ?? "", JSON.stringify(details)].join("\t")
}
