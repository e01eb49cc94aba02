import { Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Continuations } from "../../core/accounts/people/Continuations.ts"
import { FormMarks } from "../../core/accounts/people/FormMarks.ts"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import type { UserId } from "../../domain/Ids.ts"
import type { Parameters } from "../../domain/Parameters.ts"
import * as Outages from "../../foundation/database/Outages.ts"
import { pathOf } from "../../foundation/http/Envelope.ts"
import { fromOurPages } from "../../foundation/http/SameOrigin.ts"
import { markField, pageField } from "../../foundation/web/FormFields.ts"
import { failurePage, seeOther, type Viewer } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { keptFields } from "../../foundation/web/RestoredForm.ts"
import {
  continuePath,
  isShort,
  ownPath,
  plainPath,
  renewRolePath,
  restoredAt,
  signInAsAnotherPath,
  signInPath
} from "./ReturnTo.ts"

/** Ways to the sign-in page and back, which `PageSession` takes: to a page, and to a form as it was filled in. */
export const comingBack = Effect.gen(function*() {
  const isFromOurPages = yield* fromOurPages
  const continuations = yield* Continuations
  const identities = yield* IdentitySource
  const marks = yield* FormMarks

  const leadTo = (address: (path: string) => string) =>
    Effect.fnUntraced(function*(path: string) {
      const own = ownPath(path)
      if (isShort(own)) return seeOther(address(own))
      if (own.length > longestKept) return tooLong
      return seeOther(address(continuePath(yield* continuations.keep({ location: own }))))
    })

  /** Redirect to the sign-in page, which leads back to `path`. A long path waits under an id. */
  const signIn = leadTo(signInPath)
  /** Same for a user whose role by a claim has lapsed. */
  const renewRole = leadTo(renewRolePath)
  /** Same for a user who wants to go on with another account. */
  const signInAsAnother = leadTo(signInAsAnotherPath)

  /**
   * Keeps the form of the request for its user, without secrets, and answers the path at which it comes back filled in.
   */
  const keepForm = Effect.fnUntraced(function*(userId: UserId, fields: Parameters) {
    const action = pathOf(yield* HttpServerRequest.HttpServerRequest)
    const form = { userId, action, fields: keptFields(fields) }
    return continuePath(yield* continuations.keep({ location: plainPath(ownPath(fields.get(pageField))), form }))
  })

  /** Answers a form of a session other than the request's, unless nobody knows whose form it is. */
  const answer = Effect.fnUntraced(function*(sender: Option.Option<Sender>, fields: Parameters) {
    const marked = marks.read(fields.get(markField))
    const isOurs = isFromOurPages(yield* HttpServerRequest.HttpServerRequest)
    if (Option.isNone(marked) || !isOurs) return Option.none<HttpServerResponse.HttpServerResponse>()
    const userId = marked.value
    if (Option.isSome(sender)) {
      const { account, viewer } = sender.value
      return Option.some(account.id === userId ? seeOther(yield* keepForm(userId, fields)) : ofAnother(viewer))
    }
    const isClosed = Option.isNone(yield* identities.find(userId))
    return Option.some(isClosed ? accountClosed : seeOther(signInPath(yield* keepForm(userId, fields))))
  })

  /** Form of the user that waits for the page at `path`. */
  const restored = Effect.fnUntraced(function*(userId: UserId, path: string) {
    const id = restoredAt(path)
    if (id === undefined) return undefined
    const form = Option.getOrUndefined(yield* continuations.find(id))?.form
    return form?.userId === userId ? form : undefined
  })

  /** Forgets the form that the page at `path` has shown, unless the request that sends it is refused. */
  const forget = (userId: UserId, path: string) => {
    const id = restoredAt(path)
    if (id === undefined) return Effect.void
    const remove = Outages.bestEffort("A form was not forgotten")(continuations.remove(id, userId))
    return HttpEffect.appendPreResponseHandler((_, response) =>
      response.status < 400 ? Effect.as(remove, response) : Effect.succeed(response)
    )
  }

  return { signIn, renewRole, signInAsAnother, keepForm, answer, restored, forget, markOf: marks.make }
})

/** User whose session the request has. */
interface Sender {
  readonly account: { readonly id: UserId }
  readonly viewer: Viewer
}

/** Longest path that is kept for people who have not signed in: what the common proxies let through. */
const longestKept = 8192

const tooLong = failurePage({
  status: 414,
  title: text("failure.tooLong"),
  what: text("failure.tooLong.what"),
  remedy: text("failure.tooLong.remedy"),
  next: { href: "/sign-in", label: text("signIn") }
})

const accountClosed = failurePage({
  status: 403,
  title: text("failure.accountClosed"),
  what: text("failure.accountClosed.what"),
  remedy: text("failure.accountClosed.remedy"),
  next: { href: "/sign-in", label: text("signIn") }
})

const ofAnother = (viewer: Viewer) =>
  failurePage({
    status: 403,
    title: text("failure.formOfAnother"),
    what: text("failure.formOfAnother.what"),
    remedy: text("failure.formOfAnother.remedy", { name: viewer.name }),
    viewer
  })
