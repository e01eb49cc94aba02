import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type AppReport, type AppReports, open } from "../../../../src/core/legacy/import/AppReports.ts"
import type { FindingParts } from "../../../../src/core/legacy/import/ImportListener.ts"

const add = (
  reports: AppReports,
  clientId: string,
  kind: "new" | "adds" | "wrong",
  parts: Partial<FindingParts> = {}
) =>
  reports.add({
    line: 1,
    clientId,
    kind,
    isNotable: true,
    text: "",
    parts: { name: clientId.toUpperCase(), owner: "", secrets: 0, refreshTokens: 0, toMend: [], lost: [], ...parts }
  })

const visited = Effect.fnUntraced(function*(reports: AppReports, order: "file" | "owner") {
  const found: Array<AppReport> = []
  yield* reports.visit(order, (report) => Effect.sync(() => found.push(report)))
  return found
})

describe("Reports by app", () => {
  it.effect("gather what the lines of an app lead to, and say of each what it lacks", () =>
    Effect.gen(function*() {
      const reports = yield* open("its refresh tokens")
      add(reports, "b", "new", { secrets: 1, toMend: ["a pattern"], lost: ["a grant"] })
      add(reports, "a", "new", { secrets: 2 })
      add(reports, "b", "adds", { secrets: 1, refreshTokens: 3, toMend: ["a pattern"], lost: ["a token"] })
      add(reports, "c", "wrong", { toMend: ["no owner"] })
      assert.deepStrictEqual(yield* visited(reports, "file"), [
        {
          clientId: "b",
          name: "B",
          owner: "",
          kept: { app: true, secrets: 2, refreshTokens: 3 },
          toMend: ["a pattern"],
          lost: ["a grant", "a token"]
        },
        {
          clientId: "a",
          name: "A",
          owner: "",
          kept: { app: true, secrets: 2, refreshTokens: 0 },
          toMend: [],
          lost: ["its refresh tokens"]
        },
        {
          clientId: "c",
          name: "C",
          owner: "",
          kept: { app: false, secrets: 0, refreshTokens: 0 },
          toMend: ["no owner"],
          lost: []
        }
      ])
    }))

  it.effect("are visited by owner where there is something to mend, and hold no more of it than anybody reads", () =>
    Effect.gen(function*() {
      const reports = yield* open()
      add(reports, "one", "wrong", { owner: "uma@example.com", toMend: ["x"] })
      add(reports, "two", "new", { owner: "ann@example.com" })
      add(reports, "three", "wrong", { owner: "ann@example.com", toMend: ["y"] })
      for (let n = 0; n < 1_000; n++) add(reports, "one", "wrong", { toMend: [`there is no account ${n}`] })
      const found = yield* visited(reports, "owner")
      assert.deepStrictEqual(found.map(({ clientId, owner }) => `${owner} ${clientId}`), [
        "ann@example.com three",
        "uma@example.com one"
      ])
      assert.isBelow(found[1]?.toMend.join().length ?? 0, 2_100)
    }))
})
