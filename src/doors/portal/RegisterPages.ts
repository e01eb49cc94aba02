import { DateTime, Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import { isDraftId, RegistrationDrafts } from "../../core/clients/life/RegistrationDrafts.ts"
import { Logos } from "../../core/clients/logos/Logos.ts"
import type { ManagedClient } from "../../core/clients/records/Client.ts"
import { ReviewDesk } from "../../core/clients/review/ReviewDesk.ts"
import type { BadRequest, Conflict } from "../../domain/ApiError.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import type { UserId } from "../../domain/Ids.ts"
import * as Input from "../../domain/Input.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { page, seeOther, type Viewer } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { restoredForm } from "../../foundation/web/RestoredForm.ts"
import { appPath } from "../parts/Paths.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { type AppFields, emptyFields, enteredFields } from "./AppFormView.ts"
import { requestable } from "./ConnectView.ts"
import { discardPath } from "./DraftsView.ts"
import { envBlock } from "./EnvBlock.ts"
import { beside, faultsOn, firstAtFault, onStep, type Step, stepAddress, stepNames, steps } from "./RegisterSteps.ts"
import { registerBody, type RegisterView } from "./RegisterView.ts"
import { secretBody } from "./SecretView.ts"

/**
 * Pages that register an app: `/settings/apps/new` and below. Each keeps what was entered on it before anything is
 * judged.
 */
export const RegisterPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const { redirectSchemes, ...addresses } = yield* AppConfig
  const registry = yield* ClientRegistry
  const drafts = yield* RegistrationDrafts
  const desk = yield* ReviewDesk
  const logos = yield* Logos
  const empty = emptyFields(catalogue)

  const show = Effect.fnUntraced(function*(viewer: Viewer, shown: Shown) {
    const body = registerBody({
      oneMore: false,
      search: "",
      ...shown,
      catalogue,
      viewer: { ...viewer, page: addressOf(viewer.page, shown) },
      redirectSchemes,
      areLogosShown: yield* logos.areShown,
      usualReview: shown.step === "may" ? yield* desk.usualReview : Option.none(),
      now: yield* DateTime.now
    })
    const title = text("register.title", { step: steps[shown.step].title })
    return page({ title, viewer, problem: shown.problem, body })
  })

  /** What a draft has, and nothing where there is none. */
  const valuesOf = (owner: UserId, draft: string) =>
    Effect.map(drafts.find(owner, draft), (found): AppFields => ({
      ...empty,
      ...Option.getOrUndefined(Option.map(found, ({ fields }) => fields))
    }))

  /** Answer to a form whose first sending has registered the app. */
  const registeredBefore = (visitor: Visitor, { id }: ManagedClient) =>
    pages.redirect(visitor, appPath(id), text("register.doneBefore"))

  yield* Effect.forEach(stepNames, (step) =>
    Effect.gen(function*() {
      const { path } = steps[step]

      yield* get(
        path,
        Effect.gen(function*() {
          const { account, viewer } = yield* pages.require
          const query = yield* readQuery
          const draft = query.get("draft") ?? ""
          // The address has the draft, so that what was entered is there when somebody goes back in the browser.
          if (!isDraftId(draft)) return seeOther(stepAddress("what", yield* Effect.sync(randomUUID)))
          const back = {
            ...comingBack(catalogue, viewer, step, path),
            ...(step === "may" ? comingBack(catalogue, viewer, step, "/settings/apps") : {})
          }
          const values = yield* valuesOf(account.id, draft)
          return yield* show(viewer, {
            step,
            draft,
            oneMore: query.has("more"),
            search: (query.get("q") ?? "").slice(0, 200).trim(),
            ...back,
            values: { ...values, ...back.values }
          })
        })
      )

      yield* post(
        path,
        Effect.gen(function*() {
          const { fields, visitor } = yield* pages.form
          const { account, viewer } = visitor
          const draft = draftIn(fields)
          const before = yield* registry.registeredFrom(account.id, draft)
          if (Option.isSome(before)) return yield* registeredBefore(visitor, before.value)
          const entered = onStep(step, enteredFields(catalogue, fields))
          yield* drafts.save(account.id, draft, entered)
          switch (fields.get("go")) {
            case "back":
              return seeOther(stepAddress(beside(step, -1), draft))
            case "later":
              return yield* pages.redirect(visitor, "/settings/apps", text("drafts.kept"))
            case "more":
              return seeOther(stepAddress(step, draft, { more: "1" }))
            case "search":
              return seeOther(stepAddress(step, draft, { q: fields.get("q") ?? "" }))
            case "all":
              return seeOther(stepAddress(step, draft))
          }
          const values = { ...yield* valuesOf(account.id, draft), ...entered }
          // The logo is fetched where it was entered.
          const judged = step === "what" ? values : { ...values, logoUrl: null }
          const faults = faultsOn(step, yield* registry.check(account.id, judged))
          return faults.length === 0
            ? seeOther(stepAddress(beside(step, 1), draft))
            : yield* show(viewer, { step, draft, values, problem: Input.invalid(faults) })
        })
      )
    }), { discard: true })

  yield* post(
    "/settings/apps",
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.form
      const { account, viewer } = visitor
      const draft = draftIn(fields)
      const entered = enteredFields(catalogue, fields)
      const kept = yield* drafts.find(account.id, draft)
      // The last page has the scopes alone; a form that has them all needs no draft.
      const values = Option.match(kept, {
        onNone: () => entered,
        onSome: ({ fields }): AppFields => ({ ...empty, ...fields, ...onStep("may", entered) })
      })
      return yield* registry.register(account.id, values, draft).pipe(
        Effect.flatMap(({ client, secret }) =>
          Option.match(secret, {
            // Answered in place: a secret that is shown once cannot wait for another request.
            onSome: (secret) =>
              Effect.map(DateTime.now, (now) => {
                const env = envBlock(client, addresses, requestable(catalogue, client, now), secret)
                return page({ title: client.name, viewer, body: secretBody(client, secret, true, env) })
              }),
            onNone: () =>
              client.kind === "public"
                ? pages.redirect(visitor, appPath(client.id), text("register.done"))
                : registeredBefore(visitor, client)
          })
        ),
        Effect.catchTag(["BadRequest", "Conflict"], (problem) =>
          Effect.gen(function*() {
            yield* drafts.save(account.id, draft, values)
            return yield* show(viewer, { draft, values, ...atFault(problem) })
          }))
      )
    })
  )

  yield* post(
    discardPath,
    Effect.gen(function*() {
      const { fields, visitor } = yield* pages.form
      yield* drafts.discard(visitor.account.id, fields.get("draft") ?? "")
      return yield* pages.redirect(visitor, "/settings/apps", text("drafts.discarded"))
    })
  )
}))

type Shown =
  & Pick<RegisterView, "step" | "draft" | "values">
  & Partial<Pick<RegisterView, "oneMore" | "search" | "problem">>

const draftIn = (fields: Parameters): string => fields.get("draft") ?? randomUUID()

/** Page to show for a problem, with what of it is on that page. */
const atFault = (
  problem: BadRequest | Conflict
): Pick<Shown, "step" | "problem"> & { readonly problem: typeof problem } => {
  const faults = problem.details ?? []
  const step = firstAtFault(faults)
  return { step, problem: faults.length === 0 ? problem : Input.invalid(faultsOn(step, faults)) }
}

/** Address that leads back to a page: where it is, unless it answers the form of another page. */
const addressOf = (page: string, { draft, step }: Shown): string =>
  page.startsWith(`${steps[step].path}?`) ? page : stepAddress(step, draft)

/** Form of this page that comes back after a sign-in. */
const comingBack = (catalogue: Catalogue, { restored }: Viewer, step: Step, path: string) =>
  restoredForm(restored, path, (fields) => ({ values: onStep(step, enteredFields(catalogue, fields)) }))
