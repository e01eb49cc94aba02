import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const read = (specifier: string) => {
  const content = readFileSync(fileURLToPath(import.meta.resolve(specifier)))
  const name = specifier.slice(specifier.lastIndexOf("/") + 1)
  // The name changes with the content, so a browser may keep it for ever.
  return {
    path: `/assets/${createHash("sha256").update(content).digest("hex").slice(0, 12)}-${name}`,
    content
  } as const
}

const files = [read("@picocss/pico/css/pico.classless.min.css"), read("./assets/slotkey.css")]

/** The stylesheets of every page, served from our own origin. */
export const stylesheets: ReadonlyArray<string> = files.map(({ path }) => path)

export const AssetRoutes: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) =>
  Effect.forEach(files, ({ content, path }) =>
    router.add(
      "GET",
      path as `/${string}`,
      HttpServerResponse.uint8Array(content, {
        contentType: "text/css; charset=utf-8",
        headers: { "cache-control": "public, max-age=31536000, immutable" }
      })
    ), { discard: true })
)
