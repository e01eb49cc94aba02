import { Context, Effect, Layer, Option } from "effect"
import { LinkedAccounts } from "../../core/accounts/linked/LinkedAccounts.ts"
import { LocalUsers } from "../../core/accounts/LocalUsers.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { SignInMethods } from "../session/SignInMethods.ts"

// This room signs in people whom others know: each way to do that has a folder, and a line in the list here. Each ends
// in a session like any other (`FinishSignIn`).

/**
 * Ways by their words in the setting `SIGN_IN`. Each adds its routes, and makes what the sign-in page shows of it. A
 * server that does not use one has nothing of it in memory.
 */
const ways = [
  { name: "handover", load: async () => (await import("./handover/HandoverWay.ts")).handoverWay },
  { name: "oidc", load: async () => (await import("./oidc/Oidc.ts")).oidc }
] as const

/** Ways of the setting `SIGN_IN` that lead elsewhere, beside those of an embedder. */
export const signInWays = Layer.effect(
  SignInMethods,
  Effect.gen(function*() {
    const { signIn } = yield* AppConfig
    const wanted = ways.filter(({ name }) => signIn.has(name))
    const own = yield* SignInMethods
    if (wanted.length === 0) return own
    const local = yield* LocalUsers
    if (Option.isNone(local)) return yield* Effect.die(new Error(needsLocalAccounts))
    const linked = Context.get(local.value, LinkedAccounts)
    const methods = yield* Effect.forEach(
      wanted,
      ({ load }) => Effect.promise(load).pipe(Effect.flatten, Effect.provideService(LinkedAccounts, linked))
    )
    return [...own, ...methods.flat()]
  })
)

const needsLocalAccounts =
  "SIGN_IN names a way for the accounts of this server, whose users are those of another identity source: see docs/embedding.md"
