import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Brands } from "../../domain/brand/Brand.ts"
import { publicContent } from "../http/PublicContent.ts"
import { type Asset, makeAsset } from "./Asset.ts"
import { assetsOf } from "./BrandAssets.ts"

const readAsset = (specifier: string, contentType: string): Asset =>
  makeAsset(specifier.slice(specifier.lastIndexOf("/") + 1), {
    content: readFileSync(fileURLToPath(import.meta.resolve(specifier))),
    contentType
  })

const styles = ["@picocss/pico/css/pico.classless.min.css", "./assets/slotkey.css"].map((file) =>
  readAsset(file, "text/css; charset=utf-8")
)
const scriptFiles = ["./assets/once.js", "./assets/copy.js", "./assets/zone.js", "./assets/keys.js"].map((file) =>
  readAsset(file, "text/javascript; charset=utf-8")
)
const iconFile = readAsset("./assets/favicon.svg", "image/svg+xml")

/** Paths of the stylesheets of every page. */
export const stylesheets: ReadonlyArray<string> = styles.map(({ path }) => path)

/** Paths of the scripts of every page, which only make it more comfortable. */
export const scripts: ReadonlyArray<string> = scriptFiles.map(({ path }) => path)

export const icon: string = iconFile.path

/**
 * Serves them from our own origin, those of the brands as well, and the icon also where browsers look for one when a
 * document names none.
 */
export const AssetRoutes: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use(
  Effect.fnUntraced(function*(router) {
    const brands = yield* Brands
    const ofBrands = brands.all.flatMap((brand) => {
      const { logo, stylesheet } = assetsOf(brand)
      return [stylesheet, logo?.light, logo?.dark].filter((file) => file !== undefined)
    })
    // Brands may share a picture.
    const files = new Map([...styles, ...scriptFiles, iconFile, ...ofBrands].map((file) => [file.path, file]))
    for (const file of files.values()) yield* router.add("GET", file.path, served(file, forever))

    const icons = new Map(brands.all.map((brand) => [brand, served(assetsOf(brand).logo?.light ?? iconFile, aDay)]))
    const icon = served(iconFile, aDay)
    yield* router.add("GET", "/favicon.ico", ({ headers }) => icons.get(brands.at(headers["host"])) ?? icon)
  })
)

const served = ({ content, contentType, headers = {} }: Asset, cacheControl: string) =>
  publicContent({ body: content, cacheControl, contentType, headers })

const forever = "public, max-age=31536000, immutable"
const aDay = "public, max-age=86400"
