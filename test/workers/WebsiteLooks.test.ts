import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { LocalServices } from "../../src/app/Services.ts"
import { worker } from "../../workers/WebsiteLooks.ts"
import { eventually } from "../support/Eventually.ts"
import * as Host from "../support/PictureHost.ts"
import { layerOn } from "../support/TestJobs.ts"
import { addPeople, app } from "./Scenario.ts"

const Process = LocalServices.pipe(Layer.provideMerge(layerOn("postgres")), Layer.provideMerge(Host.layer))

layer(Process, { excludeTestServices: true })("The worker of websites", (it) => {
  it.effect("asks the website of an app that waits", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const sql = yield* SqlClient.SqlClient
      yield* addPeople
      yield* sql`UPDATE clients SET website = 'https://pictures.example/app', status = 'pending' WHERE id = ${app}`
      const looks = sql<{ outcome: string; status: number }>`SELECT outcome, status FROM website_looks`
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(worker.layer)
        yield* eventually(Effect.map(looks, (rows) => rows.length > 0))
      }))
      assert.deepStrictEqual(yield* looks, [{ outcome: "answered", status: 404 }])
      assert.deepStrictEqual(host.requests(), ["pictures.example/app"])
    }))
})
