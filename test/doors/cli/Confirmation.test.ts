// @effect-diagnostics strictEffectProvide:off
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, FileSystem, Layer, Option, Path, Queue, Stdio, Terminal } from "effect"
import { confirm } from "../../../src/doors/cli/Confirmation.ts"

/** Asks at a terminal where somebody presses this key; answers what became of it, and what was shown. */
const ask = Effect.fnUntraced(function*(key: string | undefined, isConfirmed = false) {
  const shown: Array<string> = []
  const keys = yield* Queue.make<Terminal.UserInput, Cause.Done>()
  if (key !== undefined) {
    const input = key.length === 1 ? Option.some(key) : Option.none()
    yield* Queue.offer(keys, { input, key: { name: key, ctrl: false, meta: false, shift: false } })
  }
  const size = { columns: 80, rows: 24 }
  const terminal = Terminal.make({
    columns: Effect.succeed(size.columns),
    rows: Effect.succeed(size.rows),
    size: Effect.tap(Queue.make<Terminal.Size, Cause.Done>(), (sizes) => Queue.offer(sizes, size)),
    readInput: Effect.succeed(keys),
    readLine: Effect.never,
    display: (text) => Effect.sync(() => void shown.push(text))
  })
  const answer = yield* confirm("Delete it?", isConfirmed).pipe(
    Effect.match({ onFailure: (error) => "code" in error ? error.code : error._tag, onSuccess: () => "confirmed" }),
    Effect.provide(Layer.mergeAll(
      Layer.succeed(Terminal.Terminal, terminal),
      Stdio.layerTest({ stdinIsTerminal: Effect.succeed(key !== undefined) }),
      FileSystem.layerNoop({}),
      Path.layer
    ))
  )
  return { answer, isAsked: shown.join("").includes("Delete it?") }
})

describe("A command that deletes something", () => {
  it.effect("goes on after a yes, and after a no, or Return alone, changes nothing", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* ask("y"), { answer: "confirmed", isAsked: true })
      for (const key of ["n", "return"]) assert.deepStrictEqual(yield* ask(key), { answer: "declined", isAsked: true })
    }))

  it.effect("asks nobody who has said --yes, and takes nothing else for a yes where nobody can be asked", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* ask("n", true), { answer: "confirmed", isAsked: false })
      assert.deepStrictEqual(yield* ask(undefined, true), { answer: "confirmed", isAsked: false })
      assert.deepStrictEqual(yield* ask(undefined), { answer: "not_confirmed", isAsked: false })
    }))
})
