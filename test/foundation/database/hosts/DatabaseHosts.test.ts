import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { parse } from "../../../../src/foundation/config/DatabaseAddress.ts"
import { choice, DatabaseHosts } from "../../../../src/foundation/database/hosts/DatabaseHosts.ts"
import type { HostState } from "../../../../src/foundation/database/hosts/HostState.ts"
import { eventually } from "../../../support/Eventually.ts"

const [one, two] = Option.getOrThrow(parse("postgres://one.test,two.test/db"))
if (two === undefined) throw new Error("one host")

const writable = (timeline: number): HostState => ({ _tag: "Writable", timeline })
const state = (_tag: Exclude<HostState["_tag"], "Writable">): HostState => ({ _tag })

/** Choices of a node that uses the first host, after these answers of both hosts. */
const after = (...rounds: ReadonlyArray<readonly [HostState, HostState]>) =>
  rounds.reduce(
    (before, [ofOne, ofTwo]) => choice(before, [{ host: one, state: ofOne }, { host: two, state: ofTwo }]),
    { host: one, isWritable: true, doubts: 0 }
  )

describe("The host of a database", () => {
  it("is the one that takes writes, and stays as long as it does", () => {
    assert.deepInclude(after([state("Away"), writable(2)]), { host: two, isWritable: true })
    assert.deepInclude(after([writable(1), writable(1)]), { host: one, isWritable: true })
  })

  it("is the one that was promoted last, if another one takes writes as well", () => {
    assert.strictEqual(after([writable(1), writable(2)]).host, two)
    assert.strictEqual(after([writable(3), writable(2)]).host, one)
  })

  it("is a standby at once when the primary refuses connections", () => {
    assert.deepInclude(after([state("Away"), state("Readable")]), { host: two, isWritable: false })
  })

  it("is a standby when the primary was silent twice, not once", () => {
    const silent = [state("Silent"), state("Readable")] as const
    assert.deepInclude(after(silent), { host: one, isWritable: true })
    assert.deepInclude(after(silent, silent), { host: two, isWritable: false })
    assert.deepInclude(after(silent, [writable(1), state("Readable")], silent), { host: one, isWritable: true })
  })

  it("stays the primary that has no connection left", () => {
    const full = [state("Full"), state("Readable")] as const
    assert.deepInclude(after(full, full, full), { host: one, isWritable: true })
  })

  it("stays when no host answers, and is not taken for writable", () => {
    assert.deepInclude(after([state("Away"), state("Away")]), { host: one, isWritable: false })
  })

  it.live("is asked for again after a fault of the server's own", () =>
    Effect.gen(function*() {
      let asked = 0
      const nowhere = { path: "/nowhere" }
      const faulty = {
        ...two,
        socket: nowhere,
        get url() {
          if (++asked === 2) throw new Error("a fault")
          return two.url
        }
      }
      yield* Layer.build(DatabaseHosts.layer([{ ...one, socket: nowhere }, faulty]))
      yield* eventually(Effect.sync(() => asked > 3))
    }).pipe(Effect.scoped))
})
