import { DateTime, Effect } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { mayDo } from "../../core/clients/records/AppAccess.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { SealedSecrets } from "../../core/clients/secrets/SealedSecrets.ts"
import { SecretVault } from "../../core/clients/secrets/SecretVault.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Credential } from "../../domain/Credential.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { readEnd } from "../../foundation/web/EndChoice.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { appPath, appTabPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { appFrame, appTitle } from "./AppFrame.ts"
import { type AppParams, appRoutes, type Problem, roleLacks, type Sent } from "./AppRoutes.ts"
import { requestable } from "./ConnectView.ts"
import { credentialsBody } from "./CredentialsView.ts"
import { envBlock } from "./EnvBlock.ts"
import { endBody, type EndForm, endPath, firstEnd } from "./SecretEndView.ts"
import { revealedBody, revokeBody, secretBody } from "./SecretView.ts"

/** Tab of an app with what it connects by: its client ID, its secrets and their rotation, and code to paste. */
export const CredentialsPages = pageController(Effect.fnUntraced(function*(routes) {
  const { act, view } = appRoutes(routes)
  const { pages } = routes
  const catalogue = yield* Catalogue
  const registry = yield* ClientRegistry
  const addresses = yield* AppConfig
  const sealed = yield* SealedSecrets
  const vault = yield* SecretVault

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, form: EndForm = {}) {
    const { problem } = form
    const client = yield* registry.getOwned(visitor.account.id, id)
    const secrets = yield* vault.list(client.id)
    const now = yield* DateTime.now
    const role = yield* registry.roleOf(visitor.account.id, client)
    const maySecrets = mayDo(role, "secrets")
    const body = credentialsBody({ catalogue, visitor, client, secrets, addresses, now, problem, form, maySecrets })
    return page({
      title: appTitle(client, "credentials"),
      viewer: visitor.viewer,
      problem,
      body: appFrame({ client, visitor, active: "credentials", body })
    })
  })
  const showProblem = (problem: Problem, { fields, id, visitor }: Sent) =>
    show(visitor, id, { problem, entered: fields })

  yield* view(
    "/settings/apps/:id/credentials",
    (visitor, { id }) =>
      show(visitor, id, restoredForm(visitor.viewer.restored, `${appPath(id)}/secrets`, (entered) => ({ entered })))
  )

  const endOf = ({ fields, visitor }: Sent) =>
    readEnd(fields, { first: firstEnd, path: endPath, timeZone: visitor.account.timeZone })

  const envOf = (client: ManagedClient, secret: Credential) =>
    Effect.map(DateTime.now, (now) => envBlock(client, addresses, requestable(catalogue, client, now), secret))

  yield* act("/settings/apps/:id/secrets", showProblem, (sent) =>
    Effect.gen(function*() {
      const { id, visitor } = sent
      const client = yield* registry.getFor("secrets", visitor.account.id, id)
      const { secret } = yield* vault.generate(client.id, { endsAt: yield* endOf(sent), by: visitor.account.id })
      const body = secretBody(client, secret, false, yield* envOf(client, secret))
      return page({ title: text("secret.new.title"), viewer: visitor.viewer, body })
    }), pages.recentForm)

  yield* view("/settings/apps/:id/secrets/:secretId/revoke", (visitor, { id, secretId }) =>
    Effect.gen(function*() {
      const client = yield* registry.getFor("secrets", visitor.account.id, id)
      const secrets = yield* vault.list(client.id)
      const secret = secrets.find((one) => one.id === secretId)
      return secret === undefined
        ? seeOther(appTabPath(id, "credentials"))
        : page({
          title: text("secret.revoke.title"),
          viewer: visitor.viewer,
          body: revokeBody({ visitor, client, secrets, now: yield* DateTime.now, maySecrets: true }, secret)
        })
    }))

  yield* act(
    "/settings/apps/:id/secrets/:secretId/revoke",
    showProblem,
    ({ id, secretId, visitor }) =>
      Effect.gen(function*() {
        const client = yield* registry.getFor("secrets", visitor.account.id, id)
        yield* vault.revoke(client.id, secretId, visitor.account.id)
        return yield* pages.redirect(visitor, appTabPath(id, "credentials"), text("secret.revoked"))
      })
  )

  const showEnd = Effect.fnUntraced(function*(visitor: Visitor, { id, secretId }: AppParams, form: EndForm = {}) {
    const client = yield* registry.getFor("secrets", visitor.account.id, id)
    const secret = (yield* vault.list(client.id)).find((one) => one.id === secretId)
    return secret === undefined
      ? seeOther(appTabPath(id, "credentials"))
      : page({
        title: text("secretEnds.title"),
        viewer: visitor.viewer,
        problem: form.problem,
        body: endBody({ visitor, client }, secret, form)
      })
  })

  yield* view("/settings/apps/:id/secrets/:secretId/end", (visitor, params) => {
    const action = `${appPath(params.id)}/secrets/${params.secretId}/end`
    return showEnd(visitor, params, restoredForm(visitor.viewer.restored, action, (entered) => ({ entered })))
  })

  yield* act(
    "/settings/apps/:id/secrets/:secretId/end",
    (problem, sent) =>
      Effect.catchTag(
        showEnd(sent.visitor, sent, { problem, entered: sent.fields }),
        "Forbidden",
        () => Effect.succeed(roleLacks(sent.visitor, sent.id))
      ),
    (sent) =>
      Effect.gen(function*() {
        const { id, secretId, visitor } = sent
        const client = yield* registry.getFor("secrets", visitor.account.id, id)
        yield* vault.changeEnd(client.id, secretId, yield* endOf(sent), visitor.account.id)
        return yield* pages.redirect(visitor, appTabPath(id, "credentials"), text("secretEnds.saved"))
      })
  )

  yield* act(
    "/settings/apps/:id/secrets/:secretId/reveal",
    showProblem,
    ({ id, secretId, visitor }) =>
      Effect.gen(function*() {
        const client = yield* registry.getFor("secrets", visitor.account.id, id)
        const { secret } = yield* sealed.reveal(client.id, secretId, visitor.account.id)
        const body = revealedBody(client, secret, yield* envOf(client, secret))
        return page({ title: text("secret.new.title"), viewer: visitor.viewer, body })
      }),
    pages.recentForm
  )
}))
