import { Effect } from "effect"
import { Forbidden } from "../../domain/ApiError.ts"
import { CurrentUser } from "../contract/CurrentUser.ts"

/**
 * Refuses a dangerous act of the management API to a session whose user signed in too long ago, as `recentForm` of
 * `PageSession` does on pages. API keys pass: they are for scripts, which nobody signs in again.
 */
export const requireRecentSignIn: Effect.Effect<void, Forbidden, CurrentUser> = Effect.flatMap(
  CurrentUser,
  ({ isRecent }) => isRecent ? Effect.void : Effect.fail(tooLongAgo)
)

const tooLongAgo = new Forbidden({
  code: "recent_sign_in_required",
  message: "You signed in too long ago for this. Sign in again, then repeat the request."
})
