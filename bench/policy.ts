// @effect-diagnostics globalConsole:off
import { Result } from "effect"
import { load } from "../src/domain/catalogue/EndpointPolicy.ts"
import scheduling from "../src/domain/catalogue/scheduling.catalogue.json" with { type: "json" }
import type { Policy } from "../src/domain/operations/Policy.ts"
import { decide } from "../src/doors/resource/LibraryFunctions.ts"

// Measures match and decision of the endpoint policy, over all listed operations in turn: `node bench/policy.ts`. First
// those of the platform API, then 10,000 of all forms, as a large platform has them.
const loaded = (text: string): Policy => {
  const started = performance.now()
  const policy = Result.getOrThrow(load(text))
  console.log(`loading ${policy.endpoints.length} operations: ${(performance.now() - started).toFixed(1)} ms`)
  return policy
}

const calls = (policy: Policy, fill: string) =>
  policy.endpoints.map(({ method, path }) => ({
    method,
    target: path.replaceAll(/\{[\w-]+\+\}/g, `${fill}/${fill}`).replaceAll(/\{[\w-]+\}/g, fill)
  }))

const measure = (
  policy: Policy,
  name: string,
  all: ReadonlyArray<{ readonly method: string; readonly target: string }>
) => {
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

const measureAll = (policy: Policy) => {
  measure(policy, "numbers as ids", calls(policy, "1042"))
  measure(policy, "ids with upper case", calls(policy, "cm4X8Q"))
  measure(
    policy,
    "escaped ids, with a query",
    calls(policy, "a%20b").map((call) => ({ ...call, target: `${call.target}?a=B&c=%2F` }))
  )
  measure(policy, "not listed", calls(policy, "1042").map((call) => ({ ...call, target: `${call.target}/x` })))
}

measureAll(loaded(JSON.stringify(scheduling.operations)))

/** Ten operations of each kind of thing; what is behind the first few differs from kind to kind. */
const ofKind = (kind: number) => {
  const things = `/v1.0/${["users", "groups", "sites", "teams"][kind % 4]}/{owner-id}/thingsOf${kind}`
  return [
    ["GET", things],
    ["POST", things],
    ["GET", `${things}/{id}`],
    ["DELETE", `${things}/{id}`],
    ["GET", `${things}/{id}.json`],
    ["POST", `${things}/{id}:merge`],
    ["GET", `${things}/delta()`],
    ["GET", `${things}/{id}/files/{path+}`],
    ["GET", `${things}/{id}/parts/`],
    ["PATCH", `${things}/{id}/parts/{part-id}`]
  ].map(([method, path], at) => ({
    method,
    path,
    case: "exact",
    access: "scope",
    ...(at === 4 ? { allOf: ["BOOKING_READ", "APPS_READ"] } : { scope: "BOOKING_READ" })
  }))
}

measureAll(loaded(JSON.stringify(Array.from({ length: 1000 }, (_, kind) => ofKind(kind)).flat())))
