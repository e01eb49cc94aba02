import type { Brand, Picture } from "../../domain/brand/Brand.ts"
import type { Colors } from "../../domain/brand/BrandFile.ts"
import { type Palette, paletteOf, type Scheme } from "../../domain/brand/Palette.ts"
import { type Asset, makeAsset } from "./Asset.ts"

/** Files of a brand's pages beside those of all pages. */
export interface BrandAssets {
  /** Absent of a brand with the usual colours. */
  readonly stylesheet: Asset | undefined
  /** Absent of a brand without pictures. */
  readonly logo: Readonly<Record<Scheme, Asset>> | undefined
}

/** Files of this brand; they are made once. */
export const assetsOf = (brand: Brand): BrandAssets => {
  const known = assets.get(brand)
  if (known !== undefined) return known
  const made = make(brand)
  assets.set(brand, made)
  return made
}

const assets = new WeakMap<Brand, BrandAssets>()

const make = ({ colors, logo }: Brand): BrandAssets => {
  const rules = [...rulesOf("light", colors.light), ...rulesOf("dark", colors.dark)]
  return {
    stylesheet: rules.length === 0
      ? undefined
      : makeAsset("brand.css", { content: rules.join("\n"), contentType: "text/css; charset=utf-8" }),
    logo: logo && { light: pictureAsset(logo.light), dark: pictureAsset(logo.dark) }
  }
}

const pictureAsset = ({ bytes, type }: Picture): Asset =>
  makeAsset(`logo.${type === "image/png" ? "png" : "svg"}`, {
    content: bytes,
    contentType: type,
    // An SVG may be a program. In a page none runs; opened by itself, it runs in an origin of its own, where none may.
    headers: { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" }
  })

/** The usual colours stay where a brand names none. */
const rulesOf = (scheme: Scheme, colors: Colors): ReadonlyArray<string> => {
  if (Object.keys(colors).length === 0) return []
  const declarations = Object.entries(variables(paletteOf(scheme, colors))).map(([name, value]) => `${name}: ${value};`)
  return [`@media (prefers-color-scheme: ${scheme}) { :root:not([data-theme]) { ${declarations.join(" ")} } }`]
}

/** Properties of the stylesheets that all pages have (Pico and `slotkey.css`). */
const variables = (
  {
    accent,
    accentHover,
    background,
    error,
    line,
    link,
    linkHover,
    muted,
    onAccent,
    success,
    text,
    tint,
    underline,
    warning
  }: Palette
): Readonly<Record<string, string>> => ({
  "--pico-background-color": background,
  "--pico-color": text,
  "--pico-muted-color": muted,
  "--pico-muted-border-color": line,
  "--pico-primary": link,
  "--pico-primary-underline": underline,
  "--pico-primary-hover": linkHover,
  "--pico-primary-background": accent,
  "--pico-primary-hover-background": accentHover,
  "--pico-primary-focus": underline,
  "--pico-primary-inverse": onAccent,
  "--pico-text-selection-color": underline,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`--pico-h${level}-color`, text])),
  "--pico-code-background-color": tint,
  "--pico-code-color": muted,
  "--pico-form-element-background-color": tint,
  "--pico-form-element-active-background-color": background,
  "--pico-form-element-selected-background-color": line,
  "--pico-form-element-color": text,
  "--pico-form-element-placeholder-color": muted,
  "--pico-accordion-border-color": line,
  "--pico-accordion-open-summary-color": muted,
  "--pico-card-background-color": background,
  "--pico-card-border-color": line,
  "--pico-card-sectioning-background-color": tint,
  "--sk-danger": error,
  "--sk-warn": warning,
  "--sk-ok": success,
  "--sk-muted-bg": tint,
  "--sk-edge": muted
})
