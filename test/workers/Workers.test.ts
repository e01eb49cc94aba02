import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LocalServices } from "../../src/app/Services.ts"
import { Deliveries } from "../../src/foundation/jobs/queue/Deliveries.ts"
import { queueNames } from "../../src/foundation/jobs/queue/QueueNames.ts"
import { Queues } from "../../src/foundation/jobs/queue/Queues.ts"
import { Mailer } from "../../workers/Mailer.ts"
import { Post } from "../../workers/Post.ts"
import { ReviewNews } from "../../workers/ReviewNews.ts"
import { ReviewWebhook } from "../../workers/ReviewWebhook.ts"
import { workers } from "../../workers/Workers.ts"
import { layerOn } from "../support/TestJobs.ts"

const Process = Post.layer.pipe(
  Layer.provideMerge([Deliveries.layer, Mailer.layer, ReviewNews.layer, ReviewWebhook.layer]),
  Layer.provideMerge(LocalServices),
  Layer.provideMerge(layerOn("postgres"))
)

layer(Process, { excludeTestServices: true })("Workers", (it) => {
  it.effect("do the kind of job that they are listed with, and no other", () =>
    Effect.gen(function*() {
      const queues = yield* Queues
      for (const { kind, layer } of workers) {
        const opened: Array<string> = []
        const startWorker: Queues["Service"]["startWorker"] = (name, process, options) => {
          opened.push(name)
          return queues.startWorker(name, process, options)
        }
        const Recorded = Layer.succeed(Queues, Queues.of({ ...queues, startWorker }))
        yield* Effect.scoped(Layer.build(Layer.mergeAll(layer).pipe(Layer.provide(Recorded))))
        assert.deepStrictEqual(opened, [kind.queue])
      }
      assert.deepStrictEqual(workers.map(({ kind }) => kind.queue).toSorted(), queueNames.toSorted())
    }))
})
