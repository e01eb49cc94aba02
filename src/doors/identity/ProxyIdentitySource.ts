import { Effect, Layer } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"

/** Accounts of this server, whose users a proxy names with each request if `SIGN_IN` has `proxy`. */
export const ProxyIdentitySource = Layer.effect(
  IdentitySource,
  Effect.gen(function*() {
    const source = yield* IdentitySource
    const { signIn } = yield* AppConfig
    if (!signIn.has("proxy")) return source
    const { assertedUser } = yield* Effect.promise(() => import("./proxy/AssertedUser.ts"))
    return IdentitySource.of({ ...source, browserUser: yield* assertedUser })
  })
)
