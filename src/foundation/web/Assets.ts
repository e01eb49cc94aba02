import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { publicContent } from "../http/PublicContent.ts"

const readAsset = (specifier: string, contentType: string) => {
  const content = readFileSync(fileURLToPath(import.meta.resolve(specifier)))
  const name = specifier.slice(specifier.lastIndexOf("/") + 1)
  // The path changes with the content, so browsers may keep it forever.
  return {
    path: `/assets/${createHash("sha256").update(content).digest("hex").slice(0, 12)}-${name}`,
    content,
    contentType
  } as const
}

const styles = ["@picocss/pico/css/pico.classless.min.css", "./assets/slotkey.css"].map((file) =>
  readAsset(file, "text/css; charset=utf-8")
)
const scriptFiles = ["./assets/once.js", "./assets/copy.js", "./assets/zone.js"].map((file) =>
  readAsset(file, "text/javascript; charset=utf-8")
)
const iconFile = readAsset("./assets/favicon.svg", "image/svg+xml")

/** Paths of the stylesheets of every page. */
export const stylesheets: ReadonlyArray<string> = styles.map(({ path }) => path)

/** Paths of the scripts of every page, which only make it more comfortable. */
export const scripts: ReadonlyArray<string> = scriptFiles.map(({ path }) => path)

export const icon: string = iconFile.path

/** Serves them from our own origin, and the icon also where browsers look for one when a document names none. */
export const AssetRoutes: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) =>
  Effect.forEach([
    ...[...styles, ...scriptFiles, iconFile].map((file) => ({
      ...file,
      cacheControl: "public, max-age=31536000, immutable"
    })),
    { ...iconFile, path: "/favicon.ico", cacheControl: "public, max-age=86400" }
  ], ({ cacheControl, content, contentType, path }) =>
    router.add("GET", path as `/${string}`, publicContent({ body: content, cacheControl, contentType })), {
    discard: true
  })
)
