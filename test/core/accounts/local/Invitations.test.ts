// @effect-diagnostics strictEffectProvide:off
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Exit, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { Accounts } from "../../../../src/core/accounts/local/Accounts.ts"
import { Invitations } from "../../../../src/core/accounts/local/Invitations.ts"
import { ManagedAccounts } from "../../../../src/core/accounts/local/ManagedAccounts.ts"
import { CallerAddress } from "../../../../src/core/limits/CallerAddress.ts"
import { useUp } from "../../../support/LimitedSubject.ts"
import { namesAbove, recordedSpans } from "../../../support/RecordedSpans.ts"
import { password, Services } from "../Scenario.ts"

let people = 0
const administrator = Effect.suspend(() =>
  Effect.flatMap(
    Accounts,
    (accounts) => accounts.create({ email: `root${++people}@example.test`, name: "Root", role: "admin", password })
  )
)

/** Token that the mail of an invitation holds. */
const mailed = Effect.fnUntraced(function*(id: string) {
  const { url } = Option.getOrThrow(yield* (yield* Invitations).prepare(id))
  return new URL(Redacted.value(url)).searchParams.get("token") ?? ""
})

const person = { name: "Nina New", password }

layer(Services)("Invitations", (it) => {
  it.effect("makes one account with the address and the role, once", () =>
    Effect.gen(function*() {
      const invitations = yield* Invitations
      const root = yield* administrator
      const { id } = yield* invitations.invite({ email: "Nina@example.test", role: "reviewer" }, root.id)
      const token = yield* mailed(id)
      const weak = yield* Effect.flip(
        invitations.accept(token, { ...person, password: Redacted.make("aaaaaaaaaaaa") }, Effect.succeed)
      )
      assert.strictEqual(weak._tag, "BadRequest")
      const accept = Effect.result(invitations.accept(token, person, Effect.succeed))
      const results = yield* Effect.all([accept, accept], { concurrency: "unbounded" })
      const [made] = results.filter(Result.isSuccess)
      assert.deepInclude(made?.success, { email: "Nina@example.test", role: "reviewer", name: "Nina New" })
      assert.lengthOf(results.filter(Result.isFailure), 1)
      assert.isTrue(Option.isNone(yield* invitations.find(token)))
      const again = yield* Effect.flip(invitations.invite({ email: "nina@EXAMPLE.test", role: "user" }, root.id))
      assert.strictEqual(again._tag, "Conflict")
    }))

  it.effect("holds no connection to the database while it hashes the password", () =>
    Effect.gen(function*() {
      const invitations = yield* Invitations
      const { id } = yield* invitations.invite(
        { email: "hashed@example.test", role: "user" },
        (yield* administrator).id
      )
      const { layer, spans } = recordedSpans()
      yield* Effect.provide(invitations.accept(yield* mailed(id), person, Effect.succeed), layer)
      const above = namesAbove(spans.find(({ name }) => name === "Passwords.hash"))
      assert.include(above, "Invitations.accept")
      assert.notInclude(above, "sql.transaction")
    }))

  it.effect("hashes no password for an address whose budget is used up", () =>
    Effect.gen(function*() {
      const invitations = yield* Invitations
      const { id } = yield* invitations.invite({ email: "flood@example.test", role: "user" }, (yield* administrator).id)
      yield* useUp("budget", "sign-in", "address", "192.0.2.9")
      const { layer, spans } = recordedSpans()
      const accepted = invitations.accept(yield* mailed(id), person, Effect.succeed).pipe(
        Effect.provideService(CallerAddress, "192.0.2.9"),
        Effect.provide(layer)
      )
      assert.isTrue(Exit.hasDies(yield* Effect.exit(accepted)))
      assert.isFalse(spans.some(({ name }) => name === "Passwords.hash"))
    }))

  it.effect("has one invitation an address: a second one, or the mail once more, ends the links of the first", () =>
    Effect.gen(function*() {
      const invitations = yield* Invitations
      const root = yield* administrator
      const first = yield* invitations.invite({ email: "twice@example.test", role: "admin" }, root.id)
      const token = yield* mailed(first.id)
      const second = yield* invitations.invite({ email: "TWICE@example.test", role: "user" }, root.id)
      assert.isTrue(Option.isNone(yield* invitations.find(token)))
      const third = yield* invitations.resend(second.id, root.id)
      assert.strictEqual(third.role, "user")
      assert.deepStrictEqual(
        (yield* invitations.list).filter(({ email }) => /twice/i.test(email)).map(({ id }) => id),
        [third.id]
      )
      assert.strictEqual((yield* Effect.flip(invitations.resend(first.id, root.id)))._tag, "NotFound")
    }))

  it.effect("ends when it is withdrawn, after seven days, or when its sender is no administrator any more", () =>
    Effect.gen(function*() {
      const invitations = yield* Invitations
      const accounts = yield* ManagedAccounts
      const root = yield* administrator
      const invite = Effect.fnUntraced(function*(email: string) {
        const { id } = yield* invitations.invite({ email, role: "admin" }, root.id)
        return { id, token: yield* mailed(id) }
      })
      const withdrawn = yield* invite("withdrawn@example.test")
      yield* invitations.withdraw(withdrawn.id, root.id)
      assert.strictEqual((yield* Effect.flip(invitations.withdraw(withdrawn.id, root.id)))._tag, "NotFound")
      assert.isTrue(Option.isNone(yield* invitations.prepare(withdrawn.id)))
      const late = yield* invite("late@example.test")
      yield* TestClock.adjust(Duration.days(7))
      const orphan = yield* invite("orphan@example.test")
      assert.isTrue(Option.isSome(yield* invitations.find(orphan.token)))
      yield* administrator
      yield* accounts.setRole(root.id, "user", "cli")
      for (const { token } of [withdrawn, late, orphan]) {
        assert.isTrue(Option.isNone(yield* invitations.find(token)))
        assert.strictEqual((yield* Effect.flip(invitations.accept(token, person, Effect.succeed)))._tag, "LinkUnusable")
      }
    }))

  it.effect("refuses what is no address and no role, both at once", () =>
    Effect.gen(function*() {
      const invitations = yield* Invitations
      const refused = yield* Effect.flip(invitations.invite({ email: "nobody", role: "king" }, "cli"))
      assert.deepStrictEqual(refused.details?.map(({ path }) => path), ["email", "role"])
    }))
})
