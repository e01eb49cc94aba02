import type { Effect, Scope } from "effect"
import type { HttpRouter } from "effect/http"
import type { makeHandover } from "../../core/accounts/linked/Handover.ts"
import type { LinkedAccounts } from "../../core/accounts/linked/LinkedAccounts.ts"
import type { ProviderLogout } from "../../core/accounts/people/ProviderLogout.ts"
import type { Sessions } from "../../core/accounts/people/Sessions.ts"
import type { SignIn } from "../../core/accounts/people/SignIn.ts"
import type { MasterKey } from "../../core/keys/MasterKey.ts"
import type { Budgets } from "../../core/limits/Budgets.ts"
import type { AppConfig } from "../../foundation/config/AppConfig.ts"
import type { PageSession } from "../session/PageSession.ts"
import type { SignInMethod } from "../session/SignInMethods.ts"

/** A way to sign in elsewhere: adds its routes, and makes what the sign-in page shows of it. */
export type SignInWay = Effect.Effect<
  ReadonlyArray<SignInMethod>,
  never,
  | AppConfig
  | Budgets
  | Effect.Services<typeof makeHandover>
  | HttpRouter.HttpRouter
  | LinkedAccounts
  | MasterKey
  | PageSession
  | ProviderLogout
  | Scope.Scope
  | Sessions
  | SignIn
>
