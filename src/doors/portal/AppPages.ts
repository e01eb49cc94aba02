import { DateTime, Effect } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { RefusedRequests } from "../../core/clients/life/RefusedRequests.ts"
import { Logos } from "../../core/clients/logos/Logos.ts"
import { MissingLogos } from "../../core/clients/logos/MissingLogos.ts"
import { ReviewDesk } from "../../core/clients/review/ReviewDesk.ts"
import { SecretVault } from "../../core/clients/secrets/SecretVault.ts"
import { Grants } from "../../core/grants/Grants.ts"
import { BadRequest, type Conflict, type NotFound } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { inEnglish, text } from "../../foundation/web/Message.ts"
import { readQuery, versionOf } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { appPath } from "../parts/Paths.ts"
import { referenceIn } from "../parts/ReferenceSearch.ts"
import { notFoundPage, pageController, showProblem } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { enteredFields } from "./AppFormView.ts"
import { appBody, type AppView } from "./AppView.ts"
import { revokeBody, secretBody } from "./SecretView.ts"

/**
 * Pages of one app for its owner: `/settings/apps/:id` and below. This room is what developers use, in a browser and by
 * the management API; its rules are those of `ClientRegistry`.
 */
export const AppPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const registry = yield* ClientRegistry
  const { redirectSchemes, ...addresses } = yield* AppConfig
  const grants = yield* Grants
  const logos = yield* Logos
  const missingLogos = yield* MissingLogos
  const refusedRequests = yield* RefusedRequests
  const desk = yield* ReviewDesk
  const vault = yield* SecretVault

  const show = Effect.fnUntraced(function*(visitor: Visitor, id: string, more: Partial<AppView> = {}) {
    const client = yield* registry.getOwned(visitor.account.id, id)
    const reference = referenceIn(yield* readQuery)
    const latestRefused = yield* refusedRequests.list(client.id)
    return page({
      title: client.name,
      viewer: visitor.viewer,
      problem: more.problem,
      body: appBody({
        catalogue,
        visitor,
        client,
        thread: yield* desk.threadOf(visitor.account.id, client.id),
        secrets: yield* vault.list(client.id),
        usage: yield* grants.usage(client.id),
        refusedRequests: {
          reference,
          found: reference === undefined
            ? latestRefused
            : (yield* Effect.orDie(refusedRequests.page(client.id, { reference }))).causes
        },
        lastRefusedAt: latestRefused[0]?.at,
        redirectSchemes,
        areLogosShown: yield* logos.areShown,
        logoFailures: yield* missingLogos.failures(client.id),
        addresses,
        now: yield* DateTime.now,
        ...more
      })
    })
  })

  /** A page about one app of the visitor. */
  const view = (
    path: `/${string}`,
    handler: (visitor: Visitor, params: Params) => Effect.Effect<Response, NotFound, Request>
  ) =>
    get(
      path,
      Effect.gen(function*() {
        const visitor = yield* pages.require
        return yield* Effect.mapError(handler(visitor, yield* params), () => gone(visitor))
      })
    )

  /** A form on the page of one app; a problem is shown on the page, at the form. */
  const act = (
    path: `/${string}`,
    form: AppView["form"] & string,
    handler: (sent: Sent) => Effect.Effect<Response, NotFound | BadRequest | Conflict>,
    sentForm = pages.form
  ) =>
    post(
      path,
      Effect.gen(function*() {
        const { fields, visitor } = yield* sentForm
        const sent = { visitor, fields, ...(yield* params) }
        const entered = form === "edit"
          ? { entered: enteredFields(catalogue, fields) }
          : form === "answer"
          ? { answer: fields.get("text") ?? "" }
          : {}
        return yield* handler(sent).pipe(
          showProblem((problem) => show(visitor, sent.id, { problem, form, ...entered }), gone(visitor))
        )
      })
    )

  yield* view(
    "/settings/apps/:id",
    (visitor, { id }) => show(visitor, id, formBack(catalogue, visitor, id))
  )

  yield* act("/settings/apps/:id", "edit", ({ fields, id, visitor }) =>
    Effect.gen(function*() {
      const before = yield* registry.getOwned(visitor.account.id, id)
      // The scopes of a legacy app are saved on a page of their own.
      const { kind: _, optionalScopes, refreshGrace, scopes, ...others } = enteredFields(catalogue, fields)
      const edit = {
        ...others,
        ...(before.legacy ? {} : { scopes, optionalScopes }),
        ...(refreshGrace === undefined ? {} : { refreshGrace }),
        refetchLogo: fields.has("refetchLogo")
      }
      const version = versionOf(fields)
      const after = yield* registry.edit(visitor.account.id, id, { ...edit, version })
      const done = after.status === "pending" && before.status === "rejected" ? resubmitted : text("app.saved")
      return yield* pages.redirect(visitor, appPath(id), done)
    }))

  yield* act(
    "/settings/apps/:id/resubmit",
    "review",
    ({ id, visitor }) =>
      Effect.andThen(registry.resubmit(visitor.account.id, id), pages.redirect(visitor, appPath(id), resubmitted))
  )

  yield* act(
    "/settings/apps/:id/withdraw",
    "review",
    ({ id, visitor }) =>
      Effect.andThen(
        registry.withdrawChange(visitor.account.id, id),
        pages.redirect(visitor, appPath(id), text("app.changeWithdrawn"))
      )
  )

  yield* act(
    "/settings/apps/:id/answer",
    "answer",
    ({ fields, id, visitor }) =>
      Effect.andThen(
        desk.answer(visitor.account.id, id, fields.get("text") ?? ""),
        pages.redirect(visitor, appPath(id), text("thread.answered"))
      )
  )

  yield* act("/settings/apps/:id/delete", "delete", ({ fields, id, visitor }) =>
    Effect.gen(function*() {
      const { name } = yield* registry.getOwned(visitor.account.id, id)
      if (fields.get("confirm")?.trim() !== name) {
        return yield* notTheName
      }
      yield* registry.remove(visitor.account.id, id)
      return yield* pages.redirect(
        visitor,
        "/settings/apps",
        text("app.deleted", { app: name })
      )
    }), pages.recentForm)

  yield* act("/settings/apps/:id/secrets", "secrets", ({ id, visitor }) =>
    Effect.gen(function*() {
      const client = yield* registry.getOwned(visitor.account.id, id)
      const { secret } = yield* vault.generate(client.id)
      return page({ title: text("secret.new.title"), viewer: visitor.viewer, body: secretBody(client, secret, false) })
    }), pages.recentForm)

  yield* view("/settings/apps/:id/secrets/:secretId/revoke", (visitor, { id, secretId }) =>
    Effect.gen(function*() {
      const client = yield* registry.getOwned(visitor.account.id, id)
      const secrets = yield* vault.list(client.id)
      const secret = secrets.find((one) => one.id === secretId)
      return secret === undefined
        ? seeOther(appPath(id))
        : page({
          title: text("secret.revoke.title"),
          viewer: visitor.viewer,
          body: revokeBody({ visitor, client, secrets, now: yield* DateTime.now }, secret)
        })
    }))

  yield* act(
    "/settings/apps/:id/secrets/:secretId/revoke",
    "secrets",
    ({ id, secretId, visitor }) =>
      Effect.gen(function*() {
        const client = yield* registry.getOwned(visitor.account.id, id)
        yield* vault.revoke(client.id, secretId)
        return yield* pages.redirect(
          visitor,
          appPath(id),
          text("secret.revoked")
        )
      })
  )
}))

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

interface Params {
  readonly id: string
  readonly secretId: string
}

interface Sent extends Params {
  readonly visitor: Visitor
  readonly fields: Parameters
}

const params = Effect.map(HttpRouter.params, ({ id = "", secretId = "" }): Params => ({ id, secretId }))

/** Form of the page that comes back; one about an earlier version of the app stays one. */
const formBack = (catalogue: Catalogue, { viewer: { restored } }: Visitor, id: string): Partial<AppView> => ({
  ...restoredForm(restored, appPath(id), (fields) => ({
    form: "edit" as const,
    entered: enteredFields(catalogue, fields),
    version: versionOf(fields)
  })),
  ...restoredForm(restored, `${appPath(id)}/answer`, (fields) => ({
    form: "answer" as const,
    answer: fields.get("text") ?? ""
  })),
  ...restoredForm(restored, `${appPath(id)}/delete`, () => ({ form: "delete" as const }))
})

const resubmitted = text("app.resubmitted")

const notTheName = new BadRequest({
  code: "not_confirmed",
  message: inEnglish(text("error.not_confirmed"))
})

const gone = notFoundPage({
  what: text("app.notFound.what"),
  remedy: text("app.notFound.remedy"),
  next: { href: "/settings/apps", label: text("apps") }
})
