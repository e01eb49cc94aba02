import { Layer } from "effect"
import { ApiKeys } from "./people/ApiKeys.ts"
import { ClaimedRoles } from "./people/ClaimedRoles.ts"
import { Continuations } from "./people/Continuations.ts"
import { FormMarks } from "./people/FormMarks.ts"
import { ProviderLogout } from "./people/ProviderLogout.ts"
import { Sessions } from "./people/Sessions.ts"
import { SignIn } from "./people/SignIn.ts"
import { SignInThrottle } from "./people/SignInThrottle.ts"

// This room knows who the users are and who of them is signed in: the identity source, sign-in, sessions, API keys, and
// the local accounts of a server without a platform. The doors ask it who sends a request; the command line administers
// local accounts.

/**
 * Sign-in, sessions and their notices, what waits for a sign-in, and API keys, for the users of any identity source.
 */
export const AccountServices = Layer.mergeAll(
  ApiKeys.layer,
  Continuations.layer,
  FormMarks.layer,
  ProviderLogout.layer,
  SignIn.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(ClaimedRoles.layer, Sessions.layer, SignInThrottle.layer))
)
