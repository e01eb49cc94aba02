import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { eventually } from "../support/Eventually.ts"
import { layer as server, LiveServer } from "../support/LiveServer.ts"
import { LogLines } from "../support/LogLines.ts"

const behind = (proxies: string) => server({ TRUSTED_PROXIES: proxies }).pipe(Layer.provideMerge(LogLines.layer))

const ask = (headers: Readonly<Record<string, string>>) =>
  Effect.flatMap(
    LiveServer,
    ({ url }) =>
      Effect.promise(() => fetch(`${url}/.well-known/jwks.json`, { headers }).then((answer) => answer.text()))
  )

const warnings = Effect.map(
  LogLines,
  ({ all }) => all.filter(({ level, message }) => level === "WARN" && String(message).includes("TRUSTED_PROXIES"))
)

layer(behind("0"), { excludeTestServices: true })("a server that was told of no proxy", (it) => {
  it.effect("warns once when requests come through one", () =>
    Effect.gen(function*() {
      yield* ask({})
      assert.lengthOf(yield* warnings, 0)
      yield* ask({ "x-forwarded-for": "203.0.113.9" })
      yield* ask({ "x-forwarded-for": "203.0.113.10" })
      yield* eventually(Effect.map(warnings, (lines) => lines.length === 1))
      assert.notInclude(JSON.stringify(yield* warnings), "203.0.113.9", "anybody may write the header")
    }))
})

layer(behind("1"), { excludeTestServices: true })("a server that was told of its proxy", (it) => {
  it.effect("has nothing to warn of", () =>
    Effect.gen(function*() {
      yield* ask({ "x-forwarded-for": "203.0.113.9" })
      yield* ask({})
      assert.lengthOf(yield* warnings, 0)
    }))
})
