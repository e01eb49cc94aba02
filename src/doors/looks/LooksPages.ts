import { DateTime, Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { LocalUsers } from "../../core/accounts/LocalUsers.ts"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { Brands } from "../../domain/brand/Brand.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { looksPath, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { noteReader, ReaderNotes, readers } from "../../foundation/web/ReaderWishes.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { notFoundPage, pageController, pathId } from "../session/PageRoutes.ts"
import { SignInMethods } from "../session/SignInMethods.ts"
import { asUser } from "./AsUser.ts"
import { looksBody } from "./LooksView.ts"
import { mailSamples } from "./MailSamples.ts"
import { pageSamples } from "./Samples.ts"

// This room shows what users meet to those who decide about it: to administrators the name and the look of each page
// and each mail, and to reviewers the consent page of an app.

/** Pages and mails of users as samples, for administrators: `/looks`. */
export const LooksPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const brands = yield* Brands
  const catalogue = yield* Catalogue
  const config = yield* AppConfig
  const methods = yield* SignInMethods
  const readerOf = yield* readers
  const isLocal = Option.isSome(yield* LocalUsers)
  const hasPasswords = (yield* IdentitySource).authenticate !== undefined
  // Made when they are asked for: few people ever do.
  const samples = () => ({ pages: pageSamples({ isLocal, hasPasswords }), mails: mailSamples(config, catalogue) })

  const list = Effect.gen(function*() {
    const { viewer } = yield* pages.requireAdmin
    return page({
      title: text("looks"),
      viewer,
      body: looksBody({ brands, ...samples() })
    })
  })

  const show = Effect.gen(function*() {
    const { viewer, ...visitor } = yield* pages.requireAdmin
    const id = yield* pathId
    const query = yield* readQuery
    const { mails, pages: ofPages } = samples()
    const sample = [...ofPages, ...mails].find((sample) => sample.id === id)
    if (sample === undefined) return gone({ viewer, ...visitor })
    yield* noteReader({ brand: brands.named(query.get("brand")), isSample: true })
    const { show, showText = show } = sample
    const response = (query.has("text") ? showText : show)({
      catalogue,
      config,
      methods,
      isLocal,
      hasPasswords,
      now: yield* DateTime.now,
      reader: readerOf(yield* HttpServerRequest.HttpServerRequest, (yield* ReaderNotes)?.wishes ?? {}),
      visitor: asUser({ ...visitor, viewer })
    })
    // A sample of a failure is none.
    return HttpServerResponse.setStatus(response, 200)
  })

  yield* get(looksPath, list)
  yield* get(`${looksPath}/:id`, show)
}))

const gone = notFoundPage({
  what: text("looks.gone.what"),
  remedy: text("looks.gone.remedy"),
  next: { href: looksPath, label: text("looks") }
})
