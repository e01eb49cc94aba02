import { DateTime, Effect } from "effect"
import { Brands } from "../../domain/brand/Brand.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { looksPath, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { noteReader } from "../../foundation/web/ReaderWishes.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { notFoundPage, pageController, pathId } from "../session/PageRoutes.ts"
import { SignInMethods } from "../session/SignInMethods.ts"
import { looksBody } from "./LooksView.ts"
import { MailSamples, pageSamples } from "./Samples.ts"

// This room shows administrators the name and the look that users meet, on each page and in each mail.

/** Pages and mails of users as samples, for administrators: `/looks`. */
export const LooksPages = pageController(Effect.fnUntraced(function*({ get, pages }) {
  const brands = yield* Brands
  const catalogue = yield* Catalogue
  const config = yield* AppConfig
  const mails = yield* MailSamples
  const methods = yield* SignInMethods

  const list = Effect.gen(function*() {
    const { viewer } = yield* pages.requireAdmin
    return page({
      title: text("looks"),
      viewer,
      body: looksBody({ brands, pages: pageSamples, mails })
    })
  })

  const show = Effect.gen(function*() {
    const { viewer, ...visitor } = yield* pages.requireAdmin
    const id = yield* pathId
    const sample = [...pageSamples, ...mails].find((sample) => sample.id === id)
    if (sample === undefined) return gone({ viewer, ...visitor })
    yield* noteReader({ brand: brands.named((yield* readQuery).get("brand")), isSample: true })
    return sample.show({
      catalogue,
      config,
      methods,
      now: yield* DateTime.now,
      // The server would refuse its forms as well.
      visitor: { ...visitor, notice: undefined, viewer: { ...viewer, csrf: "", isAdmin: false, restored: undefined } }
    })
  })

  yield* get(looksPath, list)
  yield* get(`${looksPath}/:id`, show)
}))

const gone = notFoundPage({
  what: text("looks.gone.what"),
  remedy: text("looks.gone.remedy"),
  next: { href: looksPath, label: text("looks") }
})
