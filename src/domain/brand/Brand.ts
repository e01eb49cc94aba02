import { Array as Arr, Context } from "effect"
import { inEnglish, type Words } from "../files/Words.ts"
import type { Colors } from "./BrandFile.ts"
import type { Scheme } from "./Palette.ts"

// This room knows the platform's own name and look: the file of `BRAND`, what is wrong with one, and which brand a
// request has. What pages and mails make of a brand is the business of those who write them.

/** A picture, checked, as it is served. */
export interface Picture {
  readonly bytes: Uint8Array
  readonly type: "image/png" | "image/svg+xml"
}

/** Name and look of the platform, for its users. */
export interface Brand {
  readonly name: Words
  /** Names of the hosts at which it is chosen, in lower case and without ports. */
  readonly hosts: ReadonlyArray<string>
  /** Absent of a brand that has the mark of Slotkey. */
  readonly logo?: { readonly light: Picture; readonly dark: Picture; readonly hasName: boolean } | undefined
  readonly colors: Readonly<Record<Scheme, Colors>>
  /** Names of the ways to sign in elsewhere, by the way. */
  readonly signIn: Readonly<Record<string, Words | undefined>>
  /** Mail address or address of a page. */
  readonly support?: string | undefined
  readonly privacy?: string | undefined
  readonly terms?: string | undefined
  readonly imprint?: string | undefined
  readonly mailFrom: string
}

/** Brands of a server. */
export interface Brands {
  readonly all: Arr.NonEmptyReadonlyArray<Brand>
  /** Brand for a request to this host, as its header names it: the first one where no other has the host. */
  readonly at: (host: string | undefined) => Brand
  /** True of a host that a brand has, as a header names it. */
  readonly isHost: (host: string | undefined) => boolean
  /** Brand of this name in English, by which jobs keep it; the first one if there is none any more. */
  readonly named: (name: string | undefined) => Brand
}

export const make = (brands: Arr.NonEmptyReadonlyArray<Brand>): Brands => {
  const [first] = brands
  const byHost = new Map<string, Brand>(brands.flatMap((brand) => brand.hosts.map((host) => [host, brand])))
  return {
    all: brands,
    at: (host) => byHost.size === 0 ? first : byHost.get(hostName(host)) ?? first,
    isHost: (host) => byHost.has(hostName(host)),
    named: (name) => brands.find((brand) => inEnglish(brand.name) === name) ?? first
  }
}

/** Name in a `Host` header. */
export const hostName = (host = ""): string => host.toLowerCase().replace(port, "")

/** Colons within brackets belong to an address. */
const port = /:\d*$/

/** Brand of a server that names none. */
export const plain: Brand = {
  name: "Slotkey",
  hosts: [],
  colors: { light: {}, dark: {} },
  signIn: {},
  mailFrom: "Slotkey <no-reply@localhost>"
}

/**
 * Brands of pages and mails. Those of the setting `BRAND` come in with `AppConfig.layer`; a program that says nothing
 * has the one of Slotkey.
 */
export const Brands = Context.Reference<Brands>("slotkey/domain/brand/Brands", { defaultValue: () => make([plain]) })

/** Brand of the page whose request is in work, for the mails that follow from it; none outside of pages. */
export const CurrentBrand = Context.Reference<Brand | undefined>("slotkey/domain/brand/CurrentBrand", {
  defaultValue: () => undefined
})
