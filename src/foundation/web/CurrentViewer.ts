import { Context, Effect, Option } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { lacksNavigation, type Viewer, withNavigation } from "./Layout.ts"

/**
 * Signed-in user of a request, for pages that explain a failure, such as the page of an unknown address, which no door
 * makes. The door that knows sessions fills it in; by default nobody is signed in.
 */
export const CurrentViewer = Context.Reference<
  Effect.Effect<Option.Option<Viewer>, never, HttpServerRequest.HttpServerRequest>
>("slotkey/foundation/web/CurrentViewer", { defaultValue: () => Effect.succeedNone })

/** Gives pages that explain a failure the navigation of their viewer. Other responses stay as they are. */
export const withViewersNavigation = Effect.map(
  CurrentViewer,
  (viewer) => (response: HttpServerResponse.HttpServerResponse) =>
    // A server that fails itself does not try to find a session as well.
    response.status < 500 && lacksNavigation(response)
      ? Effect.map(viewer, (viewer) => withNavigation(response, Option.getOrUndefined(viewer)))
      : Effect.succeed(response)
)
