// @effect-diagnostics globalConsole:off
import { builtIn } from "../src/domain/scopes/BuiltInCatalogue.ts"
import { decide } from "../src/doors/resource/LibraryFunctions.ts"

// Measures match and decision of the endpoint policy, over all listed operations in turn: `node bench/policy.ts`.
const started = performance.now()
const { policy } = builtIn()
const loading = performance.now() - started

const calls = (fill: string) =>
  policy.endpoints.map(({ method, path }) => ({ method, target: path.replaceAll(/\{\w+\}/g, fill) }))

const measure = (name: string, all: ReadonlyArray<{ readonly method: string; readonly target: string }>) => {
  let allowed = 0
  const round = () => {
    for (const { method, target } of all) {
      if (decide(policy.match(method, target), ["BOOKING_READ", "ORG_PROFILE_READ"])._tag === "Allowed") allowed++
    }
  }
  const rounds = Math.ceil(1_000_000 / all.length)
  for (let i = 0; i < rounds / 4; i++) round()
  const runs = Array.from({ length: 5 }, () => {
    const from = performance.now()
    for (let i = 0; i < rounds; i++) round()
    return (performance.now() - from) * 1e6 / (rounds * all.length)
  }).sort((a, b) => a - b)
  console.log(`${name.padEnd(36)} ${Math.round(runs[2] ?? 0)} ns a call (median of 5, ${allowed} allowed)`)
}

console.log(`loading ${policy.endpoints.length} operations: ${loading.toFixed(1)} ms`)
measure("numbers as ids", calls("1042"))
measure("ids with upper case", calls("cm4X8Q"))
measure("escaped ids, with a query", calls("a%20b").map((call) => ({ ...call, target: `${call.target}?a=B&c=%2F` })))
measure("not listed", calls("1042").map((call) => ({ ...call, target: `${call.target}/x` })))
