import { DateTime, Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { Logos } from "../../core/clients/logos/Logos.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page, type Viewer } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { appPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import { emptyFields, enteredFields } from "./AppFormView.ts"
import { requestable } from "./ConnectView.ts"
import { envBlock } from "./EnvBlock.ts"
import { newBody, type NewView } from "./RegisterView.ts"
import { secretBody } from "./SecretView.ts"

/** Form that registers an app: `/settings/apps/new`. */
export const RegisterPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const registry = yield* ClientRegistry
  const logos = yield* Logos
  const addresses = yield* AppConfig

  const showNew = Effect.fnUntraced(function*(viewer: Viewer, form: Pick<NewView, "values" | "draft" | "problem">) {
    const now = yield* DateTime.now
    const body = newBody({ catalogue, viewer, areLogosShown: yield* logos.areShown, now, ...form })
    return page({ title: text("apps.register"), viewer, problem: form.problem, body })
  })

  yield* get(
    "/settings/apps/new",
    Effect.gen(function*() {
      const { viewer } = yield* pages.require
      const empty = { values: emptyFields(catalogue), draft: yield* Effect.sync(randomUUID) }
      return yield* showNew(viewer, {
        ...empty,
        ...restoredForm(viewer.restored, "/settings/apps", enteredIn(catalogue))
      })
    })
  )

  yield* post(
    "/settings/apps",
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.form
      const { account, viewer } = visitor
      const form = enteredIn(catalogue)(fields)
      return yield* registry.register(account.id, form.values, fields.get("draft")).pipe(
        Effect.flatMap(({ client, secret }) =>
          Option.match(secret, {
            // Answered in place: a secret that is shown once cannot wait for another request.
            onSome: (secret) =>
              Effect.map(DateTime.now, (now) => {
                const env = envBlock(client, addresses, requestable(catalogue, client, now), secret)
                return page({ title: client.name, viewer, body: secretBody(client, secret, true, env) })
              }),
            onNone: () =>
              pages.redirect(
                visitor,
                appPath(client.id),
                text(client.kind === "public" ? "register.done" : "register.doneBefore")
              )
          })
        ),
        Effect.catchTag(
          ["BadRequest", "Conflict"],
          (problem) => showNew(viewer, { ...form, problem })
        )
      )
    })
  )
}))

const enteredIn = (catalogue: Catalogue) => (fields: Parameters) => ({
  values: enteredFields(catalogue, fields),
  draft: fields.get("draft") ?? ""
})
