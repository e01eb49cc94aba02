import { Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"
import { Sessions } from "./Sessions.ts"
import { SignIn } from "./SignIn.ts"
import { SignInThrottle } from "./SignInThrottle.ts"

/** Sign-in, sessions and API keys, for the users of any identity source. */
export const AccountServices = Layer.mergeAll(ApiKeys.layer, SignIn.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Sessions.layer, SignInThrottle.layer))
)
