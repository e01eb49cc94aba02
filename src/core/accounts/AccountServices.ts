import { Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"
import { ApiKeyWarnings } from "./ApiKeyWarnings.ts"
import { ClaimedRoles } from "./ClaimedRoles.ts"
import { Continuations } from "./Continuations.ts"
import { FormMarks } from "./FormMarks.ts"
import { PageNotices } from "./PageNotices.ts"
import { ProviderLogout } from "./ProviderLogout.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"
import { SignInThrottle } from "./SignInThrottle.ts"

// This room knows who the users are and who of them is signed in: the identity source, sign-in, sessions, API keys, and
// the local accounts of a server without a platform. The doors ask it who sends a request; the command line administers
// local accounts.

/**
 * Sign-in, sessions and their notices, what waits for a sign-in, and API keys, for the users of any identity source.
 */
export const AccountServices = Layer.mergeAll(
  ApiKeys.layer,
  ApiKeyWarnings.layer,
  Continuations.layer,
  FormMarks.layer,
  PageNotices.layer,
  ProviderLogout.layer,
  SignIn.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(ClaimedRoles.layer, Sessions.layer, SignInThrottle.layer))
)
