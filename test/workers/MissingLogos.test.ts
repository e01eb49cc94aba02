import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { LocalServices } from "../../src/app/Services.ts"
import { Logos } from "../../src/core/clients/logos/Logos.ts"
import { ClientsRepo } from "../../src/core/clients/records/ClientsRepo.ts"
import { worker } from "../../workers/MissingLogos.ts"
import { eventually } from "../support/Eventually.ts"
import * as Host from "../support/PictureHost.ts"
import { layerOn } from "../support/TestJobs.ts"
import { addPeople, app } from "./Scenario.ts"

const Process = LocalServices.pipe(Layer.provideMerge(layerOn("postgres")), Layer.provideMerge(Host.layer))

layer(Process, { excludeTestServices: true })("The worker of logos", (it) => {
  it.effect("fetches the picture of an app that has only the address of one", () =>
    Effect.gen(function*() {
      const host = yield* Host.PictureHost
      const clients = yield* ClientsRepo
      const sql = yield* SqlClient.SqlClient
      yield* addPeople
      yield* sql`UPDATE clients SET logo_url = 'https://pictures.example/logo' WHERE id = ${app}`
      host.serve("/logo", yield* Effect.promise(() => Host.picture("red")))
      yield* Effect.scoped(Effect.gen(function*() {
        yield* Layer.build(worker.layer)
        yield* eventually(Effect.map(clients.get(app), (found) => Option.getOrThrow(found).logoDigest !== null))
      }))
      const { logoDigest } = Option.getOrThrow(yield* clients.get(app))
      assert.isTrue(Option.isSome(yield* (yield* Logos).find(logoDigest ?? "")))
      assert.deepStrictEqual(host.requests(), ["pictures.example/logo"])
    }))
})
