import { Effect, Option } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { ClientDocuments } from "../../../../src/core/clients/documents/ClientDocuments.ts"
import { ClientReview } from "../../../../src/core/clients/review/ClientReview.ts"
import type { ScopeName } from "../../../../src/domain/scopes/Scope.ts"
import * as Host from "../../../support/PictureHost.ts"
import { newAccount } from "../Scenario.ts"

let documents = 0

/** Address of a document that no other test has. */
export const newAddress = (host = "pictures.example"): string => `https://${host}/clients/${++documents}.json`

/** What a document says that breaks no rule. */
export const sound = (clientId: string, more: Readonly<Record<string, unknown>> = {}) => ({
  client_id: clientId,
  client_name: `Agent ${clientId.replaceAll(/\D/g, "")}`,
  redirect_uris: ["https://agent.example/callback", "http://127.0.0.1/callback"],
  ...more
})

/** Serves a body at an address from now on. */
export const answer = Effect.fnUntraced(function*(
  address: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  status = 200
) {
  const host = yield* Host.PictureHost
  host.serve(new URL(address).pathname, (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
})

/** Serves a sound document, with more said than it has to say. */
export const serve = (address: string, more: Readonly<Record<string, unknown>> = {}) =>
  answer(address, sound(address, more))

export const introduce = Effect.fnUntraced(function*(
  address: string,
  scopes: ReadonlyArray<ScopeName> = ["BOOKING_READ"],
  person?: Effect.Success<ReturnType<typeof newAccount>>
) {
  const documents = yield* ClientDocuments
  return yield* documents.introduce(address, person ?? (yield* newAccount("person")), scopes, ["PROFILE_READ"])
})

/** Why an address cannot be taken: the field and the code of the rule. */
export const refusal = (address: string) =>
  Effect.map(
    Effect.flip(introduce(address)),
    ({ field, reason }) => `${field === undefined ? "" : `${field} `}${reason.rule.code}`
  )

/** An app that was introduced and approved. */
export const approved = Effect.fnUntraced(function*(address: string, scopes?: ReadonlyArray<ScopeName>) {
  const review = yield* ClientReview
  const { id, version } = yield* introduce(address, scopes)
  return yield* Effect.orDie(review.approve(yield* newAccount("admin", "admin"), id, version))
})

export const managed = (id: string) => Effect.flatMap(ClientReview, (review) => Effect.orDie(review.get(id)))

export const documentOf = (id: string) =>
  Effect.flatMap(ClientDocuments, (documents) => Effect.map(documents.find(id), Option.getOrThrow))
