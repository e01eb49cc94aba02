import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const read = (specifier: string, contentType: string) => {
  const content = readFileSync(fileURLToPath(import.meta.resolve(specifier)))
  const name = specifier.slice(specifier.lastIndexOf("/") + 1)
  // The name changes with the content, so a browser may keep it for ever.
  return {
    path: `/assets/${createHash("sha256").update(content).digest("hex").slice(0, 12)}-${name}`,
    content,
    contentType
  } as const
}

const styles = ["@picocss/pico/css/pico.classless.min.css", "./assets/slotkey.css"].map((file) =>
  read(file, "text/css; charset=utf-8")
)
const scripted = ["./assets/once.js", "./assets/copy.js"].map((file) => read(file, "text/javascript; charset=utf-8"))

/** The stylesheets of every page, served from our own origin. */
export const stylesheets: ReadonlyArray<string> = styles.map(({ path }) => path)

/** The scripts of every page, which works without them, too. */
export const scripts: ReadonlyArray<string> = scripted.map(({ path }) => path)

export const AssetRoutes: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) =>
  Effect.forEach([...styles, ...scripted], ({ content, contentType, path }) =>
    router.add(
      "GET",
      path as `/${string}`,
      HttpServerResponse.uint8Array(content, {
        contentType,
        headers: { "cache-control": "public, max-age=31536000, immutable" }
      })
    ), { discard: true })
)
