import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ReviewDesk } from "../../core/clients/review/ReviewDesk.ts"
import { Api } from "../contract/Api.ts"
import { byCaller } from "../session/ByCaller.ts"

/** Work of reviewers together, by API (`DeskApi`). */
export const DeskHandlers = HttpApiBuilder.group(
  Api,
  "reviewDesk",
  Effect.fn(function*(handlers) {
    const desk = yield* ReviewDesk

    return handlers.handleAll({
      thread: byCaller(Effect.fnUntraced(function*(_reviewer, { params }) {
        return { ...yield* desk.thread(params.id), claim: Option.getOrNull(yield* desk.claimOf(params.id)) }
      })),
      note: byCaller((reviewer, { params, payload }) => desk.note(reviewer, params.id, payload.text)),
      ask: byCaller((reviewer, { params, payload }) => desk.ask(reviewer, params.id, payload.text)),
      claim: byCaller((reviewer, { params, payload }) => desk.claim(reviewer, params.id, payload.from)),
      release: byCaller((reviewer, { params }) => Effect.as(desk.release(reviewer, params.id), null))
    })
  })
)
