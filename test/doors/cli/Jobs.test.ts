// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { AuditLog } from "../../../src/core/audit/AuditLog.ts"
import { Outbox } from "../../../src/foundation/jobs/outbox/Outbox.ts"
import { OutboxRepo } from "../../../src/foundation/jobs/outbox/OutboxRepo.ts"
import { slotkey } from "../../support/Cli.ts"
import * as EmbeddedPool from "../../support/EmbeddedPool.ts"

it.live(
  "slotkey lists dead jobs and replays them",
  () =>
    besideDatabase(({ env, outbox, repo }) =>
      Effect.gen(function*() {
        yield* outbox.publish({ queue: "review-notices", subject: "client:c", payload: {} })
        yield* repo.deadLetter(1n, "Missing key\n  at [\"clientId\"]")

        const listed = yield* slotkey(["jobs", "dead"], { env })
        assert.match(listed.stdout, /^1\t\S+Z\treview-notices\tclient:c\tMissing key at \["clientId"\]\n$/)
        const replayed = yield* slotkey(["jobs", "replay", "1"], { env })
        assert.deepStrictEqual(replayed, { code: 0, stdout: "The workers will try 1 again.\n", stderr: "" })
        assert.deepStrictEqual(yield* repo.dead(1), [])
        assert.lengthOf(yield* repo.next(10), 1)
        const none = yield* slotkey(["jobs", "replay", "1"], { env })
        assert.deepStrictEqual(none, { code: 3, stdout: "", stderr: "There is no dead job 1.\n" })
      })
    ),
  120_000
)

it.live(
  "slotkey replays and discards the dead jobs of a queue, or all",
  () =>
    besideDatabase(({ env, outbox, repo }) =>
      Effect.gen(function*() {
        const jobs = (...words: ReadonlyArray<string>) => slotkey(["jobs", ...words], { env })
        const deadIds = Effect.map(repo.dead(10), (dead) => dead.map(({ id }) => Number(id)).sort())
        for (const queue of ["new-connections", "new-connections", "token-reuse", "token-reuse", "token-reuse"]) {
          yield* outbox.publish({ queue, subject: "user:u", payload: {} })
        }
        for (const id of [1n, 2n, 3n, 4n, 5n]) yield* repo.deadLetter(id, "550 wrong sender")

        for (const words of [["replay"], ["discard", "--yes"], ["replay", "1", "--all"]]) {
          const unclear = yield* jobs(...words)
          assert.deepStrictEqual([unclear.code, unclear.stdout], [2, ""], words.join(" "))
          assert.include(unclear.stderr, "Say which jobs")
        }
        assert.strictEqual((yield* jobs("discard", "--all")).code, 2, "nobody has confirmed it")
        assert.deepStrictEqual(yield* deadIds, [1, 2, 3, 4, 5])

        const misspelled = yield* jobs("replay", "--queue", "new-conections")
        const none = "There is no dead job in the queue new-conections.\n"
        assert.deepStrictEqual(misspelled, { code: 3, stdout: "", stderr: none })
        assert.strictEqual((yield* jobs("replay", "--queue", "new-connections")).code, 0)
        assert.deepStrictEqual(yield* deadIds, [3, 4, 5])
        const discarded = yield* jobs("discard", "3", "1", "--yes", "--json")
        assert.deepStrictEqual(JSON.parse(discarded.stdout), { discarded: ["3"], missing: ["1"] })
        assert.strictEqual(discarded.code, 3)
        assert.isTrue(Option.isNone(yield* repo.find(3n)))
        assert.isTrue(Option.isSome(yield* repo.find(1n)), "it is no dead job")
        assert.strictEqual((yield* jobs("replay", "--all")).code, 0)
        assert.deepStrictEqual(yield* deadIds, [])
        assert.deepStrictEqual(yield* jobs("replay", "--all"), { code: 0, stdout: "", stderr: "" })
      })
    ),
  120_000
)

it.live(
  "what was replayed and discarded is in the audit trail, an entry for each command that changed something",
  () =>
    besideDatabase(({ audit, env, outbox, repo }) =>
      Effect.gen(function*() {
        const jobs = (...words: ReadonlyArray<string>) => slotkey(["jobs", ...words], { env })
        for (const queue of ["token-reuse", "new-connections", ...Array<string>(21).fill("account-mails")]) {
          yield* outbox.publish({ queue, subject: "user:u", payload: { token: "secret" } })
        }
        for (let id = 1n; id <= 23n; id++) yield* repo.deadLetter(id, "550 no ann@example.com")

        yield* jobs("replay", "2", "1", "99")
        yield* jobs("replay", "--queue", "token-reuse")
        yield* jobs("discard", "--all", "--yes")
        yield* jobs("discard", "--all", "--yes")

        const trail = (yield* audit.list({})).map((
          { action, actor, details, userId }
        ) => [action, actor, details, userId])
        assert.deepStrictEqual(trail, [
          ["job.discarded", "cli", { queue: "account-mails", jobs: 21 }, null],
          ["job.replayed", "cli", { queue: "new-connections, token-reuse", jobs: 2, ids: "1, 2" }, null]
        ])
      })
    ),
  120_000
)

const besideDatabase = Effect.fnUntraced(function*<A, E>(
  use: (
    beside: {
      readonly audit: AuditLog["Service"]
      readonly env: Record<string, string>
      readonly outbox: Outbox["Service"]
      readonly repo: OutboxRepo["Service"]
    }
  ) => Effect.Effect<A, E>
) {
  const folder = yield* EmbeddedPool.folder
  const Services = Layer.mergeAll(AuditLog.layer, Outbox.layer, OutboxRepo.layer).pipe(
    Layer.provideMerge(EmbeddedPool.at(folder))
  )
  yield* Effect.gen(function*() {
    const [audit, outbox, repo] = yield* Effect.all([AuditLog, Outbox, OutboxRepo])
    yield* use({ audit, env: { DATA_DIR: folder }, outbox, repo })
  }).pipe(Effect.provide(Services))
})
