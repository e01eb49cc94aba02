import { assert } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { isObjection } from "../../../../src/core/clients/life/ScopeLosses.ts"
import { legacyApp } from "../Scenario.ts"
import { installationsOf } from "./Installations.ts"

/** What a walk has come to. */
export interface Found {
  /** Installations that ended because their user authorized the app again. */
  readonly ended: number
  readonly unconfirmed: number
  readonly confirmed: number
  /** Approvals that nobody had to confirm. */
  readonly approved: number
  /** Installations that were imported after a save. */
  readonly importedLate: number
}

/**
 * Takes random steps of users, developer, owner, administrator and operator, and checks the promises after each step.
 */
export const walk = Effect.fnUntraced(function*(seed: number) {
  const random = randomOf(seed)
  const chance = (oneIn: number) => random(oneIn) === 0
  const pick = <A>(values: ReadonlyArray<A>): A => values[random(values.length)]!
  const trace: Array<string> = [`seed ${seed}`]
  const told = () => trace.join("\n")
  const app = yield* legacyApp
  const users = yield* Effect.all([app.user, app.user, app.user])

  /** The developer is as careful as the verdict wants it; others try whatever comes to their mind. */
  const isPatient = seed % 3 !== 0
  const { add, idle, importFile, installed, lose, refresh, supersede } = yield* installationsOf(
    app,
    users,
    !isPatient,
    told
  )
  const { useOther } = yield* importFile([0, 0, 1], true)
  /** `scope` of the URLs that are in use; each is opened every few days. */
  const urls = new Set(isPatient ? ["PROFILE_READ", "PROFILE_READ BOOKING_READ"] : oldUrls.filter(() => chance(2)))
  /** One more, which is opened for the first time after a day. */
  let late = oldUrls[seed % oldUrls.length]
  /** Saved scopes, and whether somebody has confirmed that they may break URLs. */
  let saved: { readonly confirmed: boolean } | undefined
  /** Users who have authorized the app since. */
  const anew = new Set<number>()
  let refused = nothingRefused
  /** Scopes wait for their review. */
  let waits = false
  const found = { ended: 0, unconfirmed: 0, confirmed: 0, approved: 0, importedLate: 0 }

  /** Notes the answer to a URL in use: it is an error only where somebody has confirmed that. */
  const isRefused = (url: string, answer: URLSearchParams): boolean => {
    if (!answer.has("error")) return false
    assert.isTrue(saved?.confirmed, `${url}: ${answer.get("error_description")}\n${told()}`)
    const cause = url === "" ? "withoutScope" : "refusedScopes"
    refused = { ...refused, [cause]: refused[cause] + 1 }
    return true
  }
  const open = (url: string) =>
    Effect.map(app.open(pick(users), url === "" ? undefined : url), (answer) => isRefused(url, answer))
  const openAll = Effect.suspend(() => Effect.forEach([...urls, ...(late === undefined ? [] : [late])], open))

  const assertCounted = Effect.gen(function*() {
    const { json } = yield* app.owner.call("GET", `${app.path}/migration`)
    assert.deepInclude((json["data"] as { readonly refused: object }).refused, refused, told())
  })

  /** Looks at what came of a save or an approval. */
  const noteSaved = Effect.fnUntraced(function*(wasLegacy: boolean, confirmed: boolean) {
    const { change, legacy } = yield* app.client
    waits = change !== null
    if (legacy) return
    if (wasLegacy) {
      refused = nothingRefused
      anew.clear()
      found[confirmed ? "confirmed" : "unconfirmed"]++
    }
    // Who edits an app that has scopes is not asked.
    saved = { confirmed: confirmed || !wasLegacy }
    if (wasLegacy) yield* openAll
    yield* assertCounted
  })

  const save = Effect.gen(function*() {
    const scopes = pick(choices)
    const { legacy } = yield* app.client
    const asked = yield* app.owner.call("PATCH", app.path, { scopes })
    const objected = asked.status === 409 && isObjection(errorOf(asked.json))
    const confirms = objected && !isPatient && chance(2)
    trace.push(`save ${scopes}: ${asked.status}${confirms ? ", confirmed" : ""}`)
    if (confirms) yield* app.owner.call("PATCH", app.path, { scopes, breakOldUrls: true })
    if (asked.status === 200 || confirms) yield* noteSaved(legacy, confirms)
  })

  /** Somebody sets up an old copy of the app. */
  const install = Effect.suspend(() => {
    if (saved !== undefined) return Effect.void
    const url = pick(oldUrls)
    trace.push(`install ${url}`)
    urls.add(url)
    return Effect.asVoid(open(url))
  })

  const steps = {
    connect: Effect.gen(function*() {
      const [user, url] = [random(users.length), pick([...urls, ...(isPatient || saved !== undefined ? [] : [""])])]
      urls.add(url)
      trace.push(`connect ${user} ${url}`)
      const answer = yield* app.authorize(users[user]!, url === "" ? undefined : url)
      if (isRefused(url, answer)) return
      // The owner may save the scopes between the authorization and the exchange.
      if (chance(4)) yield* save
      const { json, status } = yield* app.exchange(answer.get("code") ?? "")
      assert.strictEqual(status, 200, told())
      const scope = scopesInOrder(url)
      assert.strictEqual(json["scope"], scope, told())
      if (scope !== "" && !(yield* app.client).legacy) {
        anew.add(user)
        found.ended += supersede(user)
      }
      add({ user, scope, stores: true, isImported: false, token: String(json["refresh_token"]) })
    }),
    save,
    install,
    /** The developer replaces the URLs that name no scopes, or more than those. */
    retire: Effect.sync(() => {
      trace.push("retire")
      for (const url of urls) if (!isPlain(url)) urls.delete(url)
      urls.add("PROFILE_READ")
    }),
    undo: Effect.gen(function*() {
      const { status } = yield* app.owner.call("POST", `${app.path}/migration/undo`, {})
      trace.push(`undo: ${status}`)
      if (status !== 200) return
      saved = undefined
      waits = false
      // What is refused is counted since the time of the save, which is another one for the next.
      yield* TestClock.adjust("1 minute")
      yield* openAll
    }),
    approve: Effect.gen(function*() {
      const { change, legacy } = yield* app.client
      if (change === null) return
      if (chance(2)) yield* install
      const asked = yield* Effect.result(app.approve)
      const confirms = Result.isFailure(asked) && isObjection(asked.failure) && !isPatient && chance(2)
      trace.push(`approve: ${asked._tag}${confirms ? ", confirmed" : ""}`)
      if (confirms) yield* app.approveAllTheSame
      if (Result.isSuccess(asked) && legacy) found.approved++
      if (Result.isSuccess(asked) || confirms) yield* noteSaved(legacy, confirms)
    }),
    reject: Effect.suspend(() => {
      trace.push("reject")
      waits = false
      return Effect.ignore(app.reject)
    }),
    wait: Effect.suspend(() => {
      trace.push("wait")
      if (late !== undefined) urls.add(late)
      late = undefined
      idle()
      return Effect.andThen(TestClock.adjust("26 hours"), openAll)
    }),
    importRest: Effect.gen(function*() {
      trace.push("import the rest")
      const { legacy } = yield* app.client
      const owners = [1, 2].filter((user) => !anew.has(user) || legacy)
      if (!legacy) found.importedLate += owners.length
      yield* importFile(owners, false)
    }),
    lose: Effect.suspend(() => {
      const one = pick(installed)
      trace.push(`lose ${one.name}`)
      return lose(one)
    })
  }
  yield* Effect.forEach([...urls], open)
  let rest = 1
  for (let step = 0; step < 16; step++) {
    const name = pick(saved !== undefined ? after : waits ? waiting : isPatient ? patient : hasty)
    yield* name === "importRest" && rest-- <= 0 ? Effect.void : steps[name]
    yield* refresh(pick(installed))
  }
  yield* Effect.forEach(installed, refresh)
  yield* useOther
  if (saved !== undefined) yield* assertCounted
  return found
})

type Step = "connect" | "save" | "install" | "retire" | "undo" | "approve" | "reject" | "wait" | "importRest" | "lose"

/** What happens before scopes are saved, while they wait for a review, and afterwards; the frequent more often. */
const hasty: ReadonlyArray<Step> = [
  "connect",
  "connect",
  "install",
  "retire",
  "save",
  "save",
  "wait",
  "importRest",
  "lose"
]
const patient: ReadonlyArray<Step> = ["connect", "retire", "save", "save", "save", "wait", "wait", "wait"]
const waiting: ReadonlyArray<Step> = ["approve", "approve", "approve", "reject", "connect", "save", "wait"]
const after: ReadonlyArray<Step> = ["connect", "connect", "connect", "importRest", "undo", "undo", "wait", "lose"]

/** URLs of the time before scopes: without `scope`, with words of the old server, or with more than will be saved. */
const oldUrls = ["", "openid", "READ_BOOKING READ_PROFILE", "openid PROFILE_READ", "PROFILE_READ WEBHOOK_READ"]

const isPlain = (url: string) => url === "PROFILE_READ" || url === "PROFILE_READ BOOKING_READ"

const choices = [
  ["PROFILE_READ"],
  ["PROFILE_READ"],
  ["PROFILE_READ", "BOOKING_READ"],
  ["PROFILE_READ", "BOOKING_READ", "TEAM_BOOKING_READ"],
  ["PROFILE_READ", "BOOKING_READ", "TEAM_BOOKING_READ"]
]

const scopesInOrder = (url: string) =>
  ["BOOKING_READ", "PROFILE_READ", "WEBHOOK_READ"].filter((one) => url.split(" ").includes(one)).join(" ")

const errorOf = (json: Record<string, unknown>) => json["error"] as { readonly code: string }

const nothingRefused = { withoutScope: 0, refusedScopes: 0 }

/** A random number generator (from Numerical Recipes) that makes the same walk for the same seed. */
const randomOf = (seed: number) => {
  let state = Math.imul(seed, 0x9e3779b1)
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
