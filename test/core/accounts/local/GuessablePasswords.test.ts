import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Worker } from "node:worker_threads"
import { afterAll, vi } from "vitest"
import { GuessablePasswords, timeLimit } from "../../../../src/core/accounts/local/GuessablePasswords.ts"

// Spied on and not mocked: files share their modules, so another one may have loaded what examines.
const posts = vi.spyOn(Worker.prototype, "postMessage")
afterAll(() => posts.mockRestore())

const ann = { email: "annika.berg@riverside.example", name: "Annika Bergström", username: "anbe" }

const guessable = (password: string) =>
  Effect.flatMap(GuessablePasswords, ({ isGuessable }) => isGuessable(Redacted.make(password), ann))

layer(GuessablePasswords.layer)("The examination of passwords", (it) => {
  it.effect.each<readonly [what: string, password: string]>([
    ["repeats a character", "aaaaaaaaaaaa"],
    ["repeats a syllable", "abcabcabcabc"],
    ["repeats a word", "sunshinesunshine"],
    ["is common", "1q2w3e4r5t6y"],
    ["is common with signs for letters", "P@ssw0rd1234"],
    ["is common with a year", "football2026"],
    ["runs along the keyboard", "qwertyuiop12"],
    ["runs along the alphabet", "abcdefghijkl"],
    ["is the product's name", "slotkeyslotkey"],
    ["is the product's name with digits", "Slotkey12345"],
    ["is the address", "annika.berg@riverside.example"],
    ["is a part of the address with digits", "riverside123"],
    ["is the name", "annikabergström"],
    ["is the user name over and over", "anbeanbeanbe"],
    ["begins with what is common, for as long as anybody looks", "password ".repeat(28)]
  ])("finds one that %s", ([, password]) =>
    Effect.gen(function*() {
      assert.isTrue(yield* guessable(password))
    }))

  it.effect.each([
    "correct horse battery staple",
    "rain on the roof",
    "a garden in june",
    "Ich liebe den Regen",
    "wir fahren morgen ans Meer",
    "il pleut sur la ville",
    "パスワードはとても長いです",
    "ghkdlwmqpzox",
    "Tr0ub4dour&3xy",
    "annika likes her green bicycle"
  ])("lets %s pass", (password) =>
    Effect.gen(function*() {
      assert.isFalse(yield* guessable(password))
    }))

  it.effect("looks at the beginning of a long one only, so that it is soon done", () =>
    Effect.gen(function*() {
      // All of these 256 characters would take half a second.
      assert.isTrue(yield* guessable("p4$$w0rd".repeat(32)))
      assert.isTrue(yield* guessable(`${"a".repeat(40)} correct horse battery staple`))
      assert.isFalse(yield* guessable(`${"a".repeat(12)} correct horse battery staple`))
    }))

  it.effect("answers each of those who ask at once for their own", () =>
    Effect.gen(function*() {
      const asked = ["rain on the roof", "aaaaaaaaaaaa", "a garden in june", "P@ssw0rd1234"]
      posts.mockClear()
      const answers = yield* Effect.forEach(asked, guessable, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, [false, true, false, true])
      // The thread of the requests would answer nobody while it examined one.
      assert.lengthOf(posts.mock.calls, asked.length)
    }))

  it.effect("gives one up that takes too long, and goes on with the next", () =>
    Effect.gen(function*() {
      // A thread that is stuck hears nothing.
      let isUnheard = false
      posts.mockImplementationOnce(() => void (isUnheard = true))
      const stuck = yield* Effect.forkChild(Effect.exit(guessable("rain on the roof")), { startImmediately: true })
      yield* Effect.repeat(Effect.yieldNow, { until: () => isUnheard })
      const next = yield* Effect.forkChild(guessable("aaaaaaaaaaaa"), { startImmediately: true })
      yield* TestClock.adjust(timeLimit)
      assert.isTrue(Exit.hasFails(yield* Fiber.join(stuck)))
      assert.isTrue(yield* Fiber.join(next))
    }))
})
