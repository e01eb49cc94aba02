import { Cause, Effect, Layer, Option } from "effect"
import * as Outages from "../../foundation/database/Outages.ts"
import { CurrentViewer } from "../../foundation/web/CurrentViewer.ts"
import { PageSession } from "./PageSession.ts"

/**
 * Names the viewer by the session of the browser. A failure has a page to explain already, so another is only logged.
 */
export const currentViewerLayer = Layer.effect(
  CurrentViewer,
  Effect.map(PageSession, ({ current }) =>
    current.pipe(
      Effect.map(Option.map(({ viewer }) => viewer)),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.as(Outages.logFailure("The viewer of a page could not be found", cause), Option.none())
      )
    ))
)
