import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Webhook } from "standardwebhooks"
import { AppEvents } from "../../../../src/core/clients/events/AppEvents.ts"
import { EventEndpoints } from "../../../../src/core/clients/events/EventEndpoints.ts"
import { eventQueue } from "../../../../src/core/clients/events/EventQueue.ts"
import { MasterKey } from "../../../../src/core/keys/MasterKey.ts"
import type { ClientId, UserId } from "../../../../src/domain/Ids.ts"
import type { PendingJob } from "../../../../src/foundation/jobs/Job.ts"
import * as Host from "../../../support/PictureHost.ts"
import { servicesWith } from "../Scenario.ts"

/** Services of the room with a host of endpoints, on a database of their own. */
export const servicesOf = (env: Readonly<Record<string, string>> = {}) =>
  EventEndpoints.layer.pipe(
    Layer.provideMerge(AppEvents.layer),
    Layer.provideMerge(MasterKey.layer),
    Layer.provideMerge(servicesWith({ MASTER_KEY: Buffer.alloc(32, 7).toString("base64url"), ...env })),
    Layer.provideMerge(Host.layer)
  )

/** A message as an endpoint got it. */
export interface Got {
  readonly id: string
  readonly signatures: number
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An endpoint at this path that notes what it gets whose signature is right, and answers as its mood is. */
export const endpoint = Effect.fnUntraced(function*(owner: UserId, clientId: ClientId, path: string) {
  const endpoints = yield* EventEndpoints
  const host = yield* Host.PictureHost
  const { secret } = yield* endpoints.set(owner, clientId, { url: `https://pictures.example${path}` })
  const got: Array<Got> = []
  const it = {
    got,
    status: 204,
    /** Requests, those with a wrong signature as well. */
    requests: 0,
    forged: 0,
    secret: Redacted.value(Option.getOrThrow(secret))
  }
  host.serve(path, async (request, response) => {
    it.requests++
    let body = ""
    for await (const chunk of request) body += chunk
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const message = verified(it.secret, body, headers)
    if (message === undefined) {
      it.forged++
      return response.writeHead(400).end()
    }
    const { data, type } = message
    got.push({
      id: headers["webhook-id"] ?? "",
      signatures: (headers["webhook-signature"] ?? "").split(" ").length,
      type,
      data
    })
    response.writeHead(it.status, { location: "https://pictures.example/elsewhere" }).end("what it says is not read")
  })
  return it
})

/** What a receiver reads that verifies as Standard Webhooks has it, by a library of others. */
export const verified = (secret: string, body: string, headers: Record<string, string>) => {
  const webhook = new Webhook(secret)
  // The library compares with the clock of the machine, and tests have another.
  const seconds = Number(headers["webhook-timestamp"])
  const isSigned = (headers["webhook-signature"] ?? "").split(" ")
    .includes(webhook.sign(headers["webhook-id"] ?? "", new Date(seconds * 1000), body))
  return isSigned ? JSON.parse(body) : undefined
}

/** Does the jobs of deliveries as workers would: what is published, and what is due. */
export const deliverDue = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const queue = yield* eventQueue
  yield* queue.publishDue
  for (;;) {
    const [job] = yield* sql<{ readonly id: bigint; readonly clientId: ClientId }>`DELETE FROM outbox WHERE id IN (
      SELECT id FROM outbox WHERE queue = 'event-deliveries' ORDER BY id LIMIT 1
    ) RETURNING id, payload->>'clientId' AS client_id`
    if (job === undefined) return
    yield* queue.deliver(job.clientId)
  }
})

/** Payloads of the jobs that were published in this queue. */
export const published = Effect.fnUntraced(function*(queue: PendingJob["queue"]) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly payload: string }>`SELECT payload::text FROM outbox WHERE queue = ${queue}
    ORDER BY id`
  return rows.map(({ payload }): unknown => JSON.parse(payload))
})
