// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { EventEmitter } from "node:events"
import { GroupState } from "../../src/app/GroupState.ts"

/** A process of the group: it answers what it is asked, unless it hangs. */
class Child extends EventEmitter {
  isHung = false
  readonly killedBy: Array<string> = []
  readonly told: Array<unknown> = []
  readonly process = { kill: (signal: string) => this.killedBy.push(signal) }
  readonly #answer: (message: unknown) => void

  constructor(answer: (message: unknown) => void) {
    super()
    this.#answer = answer
  }

  isConnected(): boolean {
    return true
  }

  send(message: { readonly ask: string; readonly id: number }): void {
    this.told.push(message)
    if (!this.isHung) this.#answer({ id: message.id, answer: `${message.ask}!` })
  }
}

/** A group of processes that serve. */
const group = Effect.fnUntraced(function*(count: number) {
  const state = yield* GroupState
  const children = Array.from({ length: count }, (_, i) => new Child((message) => state.onMessage(i + 1, message)))
  children.forEach((child, i) => {
    state.onStart(i + 1, child)
    state.onListening(i + 1)
  })
  return { state, children }
})

describe("The primary of several processes", () => {
  it.effect("ends one whose event loop stands still for half a minute, and no other", () =>
    Effect.gen(function*() {
      const { children, state } = yield* group(3)
      const [, hung] = children
      const watch = yield* Effect.forkChild(state.endHung, { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(children.map(({ killedBy }) => killedBy), [[], [], []])

      if (hung !== undefined) hung.isHung = true
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(children.map(({ killedBy }) => killedBy), [[], [], []])
      yield* TestClock.adjust("10 seconds")
      assert.deepStrictEqual(children.map(({ killedBy }) => killedBy), [[], ["SIGKILL"], []])
      yield* Fiber.interrupt(watch)
    }).pipe(Effect.provide(GroupState.layer)))

  it.effect("ends nobody who is slow because the group stops", () =>
    Effect.gen(function*() {
      const { children, state } = yield* group(1)
      const watch = yield* Effect.forkChild(state.endHung, { startImmediately: true })
      for (const child of children) child.isHung = true
      yield* TestClock.adjust("20 seconds")
      state.stop("SIGTERM")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(children.map(({ killedBy }) => killedBy), [[]])
      yield* Fiber.interrupt(watch)
    }).pipe(Effect.provide(GroupState.layer)))

  it.effect("asks all of them, and waits four seconds for one that does not answer", () =>
    Effect.gen(function*() {
      const { children, state } = yield* group(2)
      const [, hung] = children
      if (hung !== undefined) hung.isHung = true
      const asked = yield* Effect.forkChild(state.ask("metrics"), { startImmediately: true })
      yield* TestClock.adjust("3900 millis")
      assert.isUndefined(asked.pollUnsafe())
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(yield* Fiber.join(asked), [[1, Option.some("metrics!")], [2, Option.none()]])
    }).pipe(Effect.provide(GroupState.layer)))

  it.effect("does not wait for the port of a process that ends while the group stops", () =>
    Effect.gen(function*() {
      const { children, state } = yield* group(3)
      const [one, two, third = assert.fail("there is no third process")] = children
      state.onMessage(1, { portClosed: true })
      state.onMessage(2, { portClosed: true })
      assert.deepStrictEqual([one?.told, two?.told], [[], []])
      assert.isTrue(state.onExit(3, third))
      assert.deepStrictEqual([one?.told, two?.told], [[{ portClosed: true }], [{ portClosed: true }]])
    }).pipe(Effect.provide(GroupState.layer)))

  it.effect("waits for the port of a process that was started in the place of one that had closed its own", () =>
    Effect.gen(function*() {
      const { children, state } = yield* group(2)
      const [one = assert.fail("there is no first process"), two] = children
      state.onMessage(1, { portClosed: true })
      state.onExit(1, one)
      state.onStart(1, one)
      state.onListening(1)
      state.onMessage(2, { portClosed: true })
      assert.deepStrictEqual([one.told, two?.told], [[], []])
      state.onMessage(1, { portClosed: true })
      assert.deepStrictEqual([one.told, two?.told], [[{ portClosed: true }], [{ portClosed: true }]])
    }).pipe(Effect.provide(GroupState.layer)))

  it.effect("hears at once that a process which was asked has ended", () =>
    Effect.gen(function*() {
      const { children, state } = yield* group(2)
      const [, hung = assert.fail("there is no second process")] = children
      hung.isHung = true
      const asked = yield* Effect.forkChild(state.ask("metrics"), { startImmediately: true })
      state.onExit(2, hung)
      assert.deepStrictEqual(yield* Fiber.join(asked), [[1, Option.some("metrics!")]])
    }).pipe(Effect.provide(GroupState.layer)))
})
