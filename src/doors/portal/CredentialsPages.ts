import { DateTime, Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { SecretVault } from "../../core/clients/secrets/SecretVault.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { appTabPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { appFrame, appTitle } from "./AppFrame.ts"
import { appRoutes, type Problem } from "./AppRoutes.ts"
import { requestable } from "./ConnectView.ts"
import { credentialsBody } from "./CredentialsView.ts"
import { envBlock } from "./EnvBlock.ts"
import { revokeBody, secretBody } from "./SecretView.ts"

/** Tab of an app with what it connects by: its client ID, its secrets and their rotation, and code to paste. */
export const CredentialsPages = pageController(Effect.fnUntraced(function*(routes) {
  const { act, view } = appRoutes(routes)
  const { pages } = routes
  const catalogue = yield* Catalogue
  const registry = yield* ClientRegistry
  const addresses = yield* AppConfig
  const vault = yield* SecretVault

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, problem?: Problem) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const secrets = yield* vault.list(client.id)
    const now = yield* DateTime.now
    const body = credentialsBody({ catalogue, visitor, client, secrets, addresses, now, problem })
    return page({
      title: appTitle(client, "credentials"),
      viewer: visitor.viewer,
      problem,
      body: appFrame({ client, visitor, active: "credentials", body })
    })
  })
  const showProblem = (problem: Problem, { id, visitor }: { readonly id: string; readonly visitor: Visitor }) =>
    show(visitor, id, problem)

  yield* view("/settings/apps/:id/credentials", (visitor, { id }) => show(visitor, id))

  yield* act("/settings/apps/:id/secrets", showProblem, ({ id, visitor }) =>
    Effect.gen(function*() {
      const client = yield* registry.getOwned(visitor.account.id, id)
      const { secret } = yield* vault.generate(client.id)
      const env = envBlock(client, addresses, requestable(catalogue, client, yield* DateTime.now), secret)
      return page({
        title: text("secret.new.title"),
        viewer: visitor.viewer,
        body: secretBody(client, secret, false, env)
      })
    }), pages.recentForm)

  yield* view("/settings/apps/:id/secrets/:secretId/revoke", (visitor, { id, secretId }) =>
    Effect.gen(function*() {
      const client = yield* registry.getOwned(visitor.account.id, id)
      const secrets = yield* vault.list(client.id)
      const secret = secrets.find((one) => one.id === secretId)
      return secret === undefined
        ? seeOther(appTabPath(id, "credentials"))
        : page({
          title: text("secret.revoke.title"),
          viewer: visitor.viewer,
          body: revokeBody({ visitor, client, secrets, now: yield* DateTime.now }, secret)
        })
    }))

  yield* act(
    "/settings/apps/:id/secrets/:secretId/revoke",
    showProblem,
    ({ id, secretId, visitor }) =>
      Effect.gen(function*() {
        const client = yield* registry.getOwned(visitor.account.id, id)
        yield* vault.revoke(client.id, secretId)
        return yield* pages.redirect(visitor, appTabPath(id, "credentials"), text("secret.revoked"))
      })
  )
}))
