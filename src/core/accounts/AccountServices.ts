import { Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"
import { SignInThrottle } from "./SignInThrottle.ts"

// This room knows who the users are and who of them is signed in: the identity source, sign-in, sessions, API keys, and the
// local accounts of a server without a platform. The doors ask it who sends a request; the command line administers local
// accounts.

/** Sign-in, sessions and API keys, for the users of any identity source. */
export const AccountServices = Layer.mergeAll(ApiKeys.layer, SignIn.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Sessions.layer, SignInThrottle.layer))
)
