import { Effect } from "effect"
import { ApiKeys, decodeName } from "../../core/accounts/people/ApiKeys.ts"
import * as Input from "../../domain/Input.ts"
import { readEnd } from "../../foundation/web/EndChoice.ts"
import { failurePage, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { defaultEnd, newKeyBody, revokeKeyBody } from "./ApiKeysView.ts"
import { showAccount } from "./ShowAccount.ts"

/** API keys of the user: `/account/api-keys`. */
export const ApiKeyPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const apiKeys = yield* ApiKeys
  const show = yield* showAccount

  const create = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.recentForm
    const { account, viewer } = visitor
    const name = fields.get("name") ?? ""
    return yield* Effect.result(readEnd(fields, { first: defaultEnd, path: "expiresAt", timeZone: account.timeZone }))
      .pipe(
        Effect.tap((end) => decodeName(name, Input.faultsOf(end))),
        Effect.flatMap(Effect.fromResult),
        Effect.flatMap((end) => apiKeys.create(account.id, name, account.id, end)),
        // Answered in place: a key that is shown once cannot wait for another request.
        Effect.map(({ info, key }) =>
          page({ title: text("apiKeys.new"), viewer, body: newKeyBody(info, key, account) })
        ),
        Effect.catch((problem) => show(visitor, { problem, form: "api-keys", entered: fields }))
      )
  })

  const confirmRevoke = Effect.gen(function*() {
    const { account, viewer } = yield* pages.require
    const id = (yield* readQuery).get("id")
    const key = (yield* apiKeys.list(account.id)).find((one) => one.id === id)
    return key === undefined
      ? noSuchKey(viewer)
      : page({ title: text("apiKeys.revoke.title"), viewer, body: revokeKeyBody(key, viewer) })
  })

  const revoke = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    return yield* apiKeys.revoke(visitor.account.id, fields.get("id") ?? "", visitor.account.id).pipe(
      Effect.andThen(pages.redirect(visitor, "/account", text("apiKeys.revoked"))),
      Effect.catchTag("NotFound", () => Effect.succeed(noSuchKey(visitor.viewer)))
    )
  })

  yield* post("/account/api-keys", create)
  yield* get("/account/api-keys/revoke", confirmRevoke)
  yield* post("/account/api-keys/revoke", revoke)
}))

const noSuchKey = (viewer: Visitor["viewer"]) =>
  failurePage({
    status: 404,
    title: text("apiKeys.none"),
    what: text("apiKeys.none.what"),
    remedy: text("apiKeys.none.remedy"),
    viewer
  })
