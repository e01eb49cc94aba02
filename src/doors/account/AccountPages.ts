import { Effect, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Profile } from "../../core/accounts/Account.ts"
import { Accounts } from "../../core/accounts/Accounts.ts"
import { ApiKeys } from "../../core/accounts/ApiKeys.ts"
import { Sessions } from "../../core/accounts/Sessions.ts"
import { SignIn } from "../../core/accounts/SignIn.ts"
import * as Input from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { clientAddress } from "../../foundation/http/ClientAddress.ts"
import { failurePage, page, seeOther } from "../../foundation/web/Layout.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { accountBody, type AccountView, newKeyBody, notices, revokeKeyBody } from "./AccountView.ts"
import { pageRoutes, problemStatus } from "./PageRoutes.ts"
import { PageSession, signedOut, type Visitor } from "./PageSession.ts"

/** The user's own account, with API keys and, if it is local, profile and password: `/account`. */
export const AccountPages = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const { get, post } = yield* pageRoutes(router)
  const config = yield* AppConfig
  // Absent where a platform keeps the profiles and passwords of its users.
  const accounts = yield* Effect.serviceOption(Accounts)
  const apiKeys = yield* ApiKeys
  const pages = yield* PageSession
  const sessions = yield* Sessions
  const signIn = yield* SignIn

  const show = Effect.fnUntraced(function*({ account, viewer }: Visitor, more: Partial<AccountView> = {}) {
    const isLocal = Option.isSome(accounts) && Option.isSome(yield* accounts.value.find(account.id))
    const keys = yield* apiKeys.list(account.id)
    return page({
      title: "Account",
      viewer,
      status: problemStatus(more.problem),
      body: accountBody({ account, viewer, isLocal, keys, ...more })
    })
  })

  const showAccount = Effect.gen(function*() {
    const visitor = yield* pages.require
    const notice = (yield* readQuery).get("done")
    return yield* show(visitor, { notice: notice === undefined ? undefined : notices.get(notice) })
  })

  const editProfile = (accounts: Accounts["Service"]) =>
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.form
      return yield* decodeProfile(entered(fields)).pipe(
        Effect.flatMap((profile) => accounts.edit(visitor.account.id, profile)),
        Effect.as(seeOther("/account?done=profile")),
        Effect.catch((problem) => show(visitor, { problem, form: "profile", entered: fields }))
      )
    })

  const changePassword = (accounts: Accounts["Service"]) =>
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.form
      const { account, session } = visitor
      const address = clientAddress(config, yield* HttpServerRequest.HttpServerRequest)
      const current = Redacted.make(fields.get("current") ?? "", { label: "password" })
      const password = fields.get("password") ?? ""
      const problem = (path: string, message: string) => Input.invalid([{ path, message }])
      return yield* Effect.gen(function*() {
        if (password !== fields.get("repeated")) return yield* problem("repeated", "differs")
        yield* signIn.authenticate({ email: account.email, password: current, address })
        const keys = fields.get("keys") !== undefined
        const signOutElsewhere = Effect.gen(function*() {
          // A change or a deactivation that came first has ended this session, and holds.
          if (!(yield* sessions.lock(session))) return yield* Effect.fail(signedOut)
          // Anyone who knew the old password may still be signed in somewhere.
          yield* sessions.endAll(account.id, session.digest)
          if (keys) yield* apiKeys.revokeAll(account.id, account.id)
        })
        const replacement = Redacted.make(password, { label: "password" })
        yield* accounts.setPassword(account.id, replacement, account.id, signOutElsewhere)
        return seeOther(`/account?done=${keys ? "password-and-keys" : "password"}`)
      }).pipe(
        Effect.catchTags({
          WrongCredentials: () => Effect.fail(problem("current", "is wrong")),
          TemporarilyUnavailable: Effect.die,
          TooManyAttempts: () => Effect.fail(problem("current", "was wrong too often; wait a quarter of an hour"))
        }),
        Effect.catchTag(["BadRequest", "NotFound"], (problem) => show(visitor, { problem, form: "password" }))
      )
    })

  const createKey = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const { account, viewer } = visitor
    return yield* apiKeys.create(account.id, fields.get("name") ?? "", account.id).pipe(
      // Answered in place: a key that is shown once cannot wait for another request.
      Effect.map(({ info, key }) => page({ title: "New API key", viewer, body: newKeyBody(info, key) })),
      Effect.catch((problem) => show(visitor, { problem, form: "api-keys" }))
    )
  })

  const confirmRevoke = Effect.gen(function*() {
    const { account, viewer } = yield* pages.require
    const id = (yield* readQuery).get("id")
    const key = (yield* apiKeys.list(account.id)).find((one) => one.id === id)
    return key === undefined
      ? noSuchKey(viewer)
      : page({ title: "Revoke an API key", viewer, body: revokeKeyBody(key, viewer) })
  })

  const revokeKey = Effect.gen(function*() {
    const { fields, visitor: { account, viewer } } = yield* pages.form
    return yield* apiKeys.revoke(account.id, fields.get("id") ?? "").pipe(
      Effect.as(seeOther("/account?done=api-key")),
      Effect.catchTag("NotFound", () => Effect.succeed(noSuchKey(viewer)))
    )
  })

  yield* get("/account", showAccount)
  yield* post("/account/api-keys", createKey)
  yield* get("/account/api-keys/revoke", confirmRevoke)
  yield* post("/account/api-keys/revoke", revokeKey)
  if (Option.isSome(accounts)) {
    yield* post("/account/profile", editProfile(accounts.value))
    yield* post("/account/password", changePassword(accounts.value))
  }
}))

const decodeProfile = Input.decode(Profile)

const entered = (fields: Parameters) => ({
  name: fields.get("name") ?? "",
  username: fields.get("username") ?? "",
  bio: fields.get("bio") ?? null,
  timeFormat: Number(fields.get("timeFormat")),
  weekStart: fields.get("weekStart") ?? "",
  timeZone: fields.get("timeZone") ?? ""
})

const noSuchKey = (viewer: Visitor["viewer"]) =>
  failurePage({
    status: 404,
    title: "No such key",
    what: "You have no such API key; it may have been revoked before.",
    remedy: "Go back to your account to see which keys there are.",
    viewer
  })
