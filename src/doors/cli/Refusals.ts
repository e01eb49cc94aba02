import { DateTime, Effect, Layer, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { FoundRefusal } from "../../core/clients/life/RefusedRequest.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { ClientsRepo } from "../../core/clients/records/ClientsRepo.ts"
import { text } from "./Flags.ts"
import * as OperatorCommand from "./OperatorCommand.ts"
import { findClient, limit } from "./Selection.ts"
import { Infrastructure } from "./Services.ts"

const command = OperatorCommand.over(
  Layer.merge(ClientsRepo.layer, RefusedRequests.layer).pipe(Layer.provideMerge(Infrastructure))
)

const answer = Schema.Array(FoundRefusal)

const lines = (found: typeof answer.Type) =>
  found.map(({ at, clientId, endpoint, error, reason, reference, userId }) =>
    [
      DateTime.formatIso(at),
      reference ?? "-",
      clientId ?? "-",
      userId ?? "-",
      endpoint,
      error,
      reason
    ].join("\t")
  )

const find = command({
  name: "find",
  description:
    "Find a refused request by the reference that its page showed: time, reference, app, user, endpoint, error, cause",
  examples: [
    ["refusals find 907d501f7584-2c", "Why a user came to an error page"],
    ["refusals find 907d501f7584-2c --json", "The same as JSON; an empty list if nothing is kept"]
  ],
  input: {
    reference: Argument.String("reference").pipe(
      Argument.withDescription("The reference on the page, or the header X-Request-Id of the answer")
    )
  },
  answer,
  run: ({ reference }) => Effect.flatMap(RefusedRequests, ({ find }) => find(reference)),
  lines: (found) =>
    found.length === 0
      ? ["Nothing is kept under this reference. The log of the server has other failures, under request_id."]
      : lines(found)
})

const list = command({
  name: "list",
  description:
    "List the refused requests of an app, the latest first: time, reference, app, user, endpoint, error, cause",
  examples: [["refusals list --client CLIENT_ID --limit 20", "The latest of an app"]],
  input: { client: text("client", "The id of the app"), limit },
  answer,
  run: Effect.fnUntraced(function*({ client, limit }) {
    return yield* (yield* RefusedRequests).latest(yield* findClient(client), limit)
  }),
  lines
})

/** `slotkey refusals …` */
export const refusals = Command.make("refusals").pipe(
  Command.withDescription("Requests of apps that were refused"),
  Command.withSubcommands([find, list])
)
