// @effect-diagnostics strictEffectProvide:off
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { vi } from "vitest"
import { LocalAccounts } from "../../../src/core/accounts/LocalAccounts.ts"
import { ProviderLogout } from "../../../src/core/accounts/people/ProviderLogout.ts"
import { Sessions } from "../../../src/core/accounts/people/Sessions.ts"
import { SignIn } from "../../../src/core/accounts/people/SignIn.ts"
import { MasterKey } from "../../../src/core/keys/MasterKey.ts"
import { LimitServices } from "../../../src/core/limits/LimitServices.ts"
import { PageSession } from "../../../src/doors/session/PageSession.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"

const loaded = vi.hoisted((): Array<string> => [])
vi.mock("openid-client", (original) => {
  loaded.push("openid-client")
  return original()
})

/** Makes the ways to sign in of a server with these settings. */
const start = (env: Record<string, string>) =>
  Effect.promise(() => import("../../../src/doors/identity/SignInWays.ts")).pipe(
    Effect.flatMap(({ signInWays }) => Layer.build(signInWays)),
    Effect.provide(
      Layer.mergeAll(
        HttpRouter.layer,
        LimitServices,
        LocalAccounts,
        MasterKey.layer,
        Layer.mock(PageSession, {}),
        Layer.mock(ProviderLogout, {}),
        Layer.mock(Sessions, {}),
        Layer.mock(SignIn, {})
      ).pipe(Layer.provideMerge(Layer.merge(AppConfig.layerTest(env), TestDatabase.layer)))
    ),
    Effect.scoped
  )

it.effect("A server loads the client of OpenID Connect only if its users sign in that way", () =>
  Effect.gen(function*() {
    // Another file may have loaded it.
    vi.resetModules()
    yield* Effect.promise(() => import("../../../src/app/Server.ts"))
    yield* start({})
    assert.deepStrictEqual(loaded, [])
    yield* start({ SIGN_IN: "oidc", OIDC_ISSUER: "https://login.platform.example", OIDC_CLIENT_ID: "slotkey" })
    assert.deepStrictEqual(loaded, ["openid-client"])
  }))
