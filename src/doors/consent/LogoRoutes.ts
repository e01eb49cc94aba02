import { Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Logos } from "../../core/clients/logos/Logos.ts"

/** Pictures of apps, from our own origin: no page sends its reader's browser to the host of an app. */
export const LogoRoutes = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const logos = yield* Logos
  yield* router.add(
    "GET",
    "/logos/:digest",
    Effect.gen(function*() {
      const { digest = "" } = yield* HttpRouter.params
      return Option.match(yield* logos.find(digest), {
        onNone: () => HttpServerResponse.empty({ status: 404, headers: { "cache-control": "no-store" } }),
        onSome: (picture) => HttpServerResponse.uint8Array(picture, { contentType: "image/webp", headers })
      })
    })
  )
}))

const headers = {
  // The name of a picture is the digest of its bytes, so it never changes.
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; sandbox"
}
