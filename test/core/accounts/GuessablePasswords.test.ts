import { assert, layer } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import * as GuessablePasswords from "../../../src/core/accounts/GuessablePasswords.ts"

// The dictionary is for the thread that examines: the one of the requests would answer nobody meanwhile.
vi.mock("@zxcvbn-ts/core", () => {
  throw new Error("loaded by the thread of the requests")
})

const thread = vi.hoisted(() => ({ isStuck: false, unheard: 0 }))

// A thread that is stuck hears nothing.
vi.mock("node:worker_threads", async (original) => {
  const actual = await original<typeof import("node:worker_threads")>()
  class Worker extends actual.Worker {
    override postMessage(...message: Parameters<typeof actual.Worker.prototype.postMessage>) {
      if (thread.isStuck) thread.unheard++
      else super.postMessage(...message)
    }
  }
  return { ...actual, Worker }
})

const ann = { email: "annika.berg@riverside.example", name: "Annika Bergström", username: "anbe" }

class Examiner extends Context.Service<Examiner, GuessablePasswords.GuessablePasswords>()(
  "slotkey/test/core/accounts/GuessablePasswords.test/Examiner"
) {}
const guessable = (password: string) =>
  Effect.flatMap(Examiner, ({ isGuessable }) => isGuessable(Redacted.make(password), ann))

layer(Layer.effect(Examiner, GuessablePasswords.make))("The examination of passwords", (it) => {
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
      const answers = yield* Effect.forEach(asked, guessable, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, [false, true, false, true])
    }))

  it.effect("gives one up that takes too long, and goes on with the next", () =>
    Effect.gen(function*() {
      thread.isStuck = true
      const stuck = yield* Effect.forkChild(Effect.exit(guessable("rain on the roof")), { startImmediately: true })
      yield* Effect.repeat(Effect.yieldNow, { until: () => thread.unheard > 0 })
      const next = yield* Effect.forkChild(guessable("aaaaaaaaaaaa"), { startImmediately: true })
      thread.isStuck = false
      yield* TestClock.adjust(GuessablePasswords.timeLimit)
      assert.isTrue(Exit.hasFails(yield* Fiber.join(stuck)))
      assert.isTrue(yield* Fiber.join(next))
    }))
})
