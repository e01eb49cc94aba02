import { Effect, Option } from "effect"
import { HttpRouter } from "effect/http"
import { randomUUID } from "node:crypto"
import { ClientRegistry } from "../../core/clients/ClientRegistry.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageRoutes, problemStatus } from "../account/PageRoutes.ts"
import { PageSession } from "../account/PageSession.ts"
import { emptyFields, enteredFields } from "./AppFormView.ts"
import { listBody, notices } from "./AppListView.ts"
import { appPath } from "./Paths.ts"
import { newBody } from "./RegisterView.ts"
import { secretBody } from "./SecretView.ts"

const onPage = 50

/** The list of a developer's apps, and the form that registers one: `/settings/apps`. */
export const RegisterPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get, post } = yield* pageRoutes(router)
  const registry = yield* ClientRegistry
  const pages = yield* PageSession

  const notice = Effect.map(readQuery, (query) => notices.get(query.get("done") ?? ""))

  yield* get(
    "/settings/apps",
    Effect.gen(function*() {
      const { account, viewer } = yield* pages.require
      const cursor = (yield* readQuery).get("cursor")
      const pageAt = (cursor: string | undefined) =>
        Effect.map(
          registry.pageOwned(account.id, onPage, cursor),
          (found) => ({ ...found, isFirst: cursor === undefined })
        )
      // An address that somebody has changed by hand shows the beginning.
      const found = yield* Effect.catch(pageAt(cursor), () => Effect.orDie(pageAt(undefined)))
      return page({ title: "My apps", viewer, body: listBody({ ...found, notice: yield* notice }) })
    })
  )

  yield* get(
    "/settings/apps/new",
    Effect.gen(function*() {
      const { viewer } = yield* pages.require
      const draft = yield* Effect.sync(randomUUID)
      return page({ title: "Register an app", viewer, body: newBody({ viewer, values: emptyFields, draft }) })
    })
  )

  yield* post(
    "/settings/apps",
    Effect.gen(function*() {
      const { fields, visitor: { account, viewer } } = yield* pages.form
      const values = enteredFields(fields)
      const draft = fields.get("draft")
      return yield* registry.register(account.id, values, draft).pipe(
        Effect.map(({ client, secret }) =>
          Option.match(secret, {
            // Answered in place: a secret that is shown once cannot wait for another request.
            onSome: (secret) => page({ title: client.name, viewer, body: secretBody(client, secret, true) }),
            onNone: () => seeOther(`${appPath(client.id)}?done=${client.kind === "public" ? "registered" : "twice"}`)
          })
        ),
        Effect.catchTag(["BadRequest", "Conflict"], (problem) =>
          Effect.succeed(
            page({
              title: "Register an app",
              viewer,
              status: problemStatus(problem),
              body: newBody({ viewer, values, draft: draft ?? "", problem })
            })
          ))
      )
    })
  )
}))
