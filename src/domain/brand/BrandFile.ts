import { Schema } from "effect"
import { Words } from "../files/Words.ts"
import { isMailAddress, isMailbox } from "../Mailbox.ts"

// Format of the file of `BRAND`: the name and the look that a platform's pages have, as data. The descriptions are
// those that editors show (`brand.schema.json`). Rules that need more than one place of the file are in `BrandRules`.

const text = (isRight: (text: string) => boolean, message: string, description: string) =>
  Schema.String.annotate({ description }).check(Schema.makeFilter((text) => isRight(text) || message))

const Color = (description: string) =>
  Schema.optionalKey(
    Schema.String.annotate({ description }).check(
      Schema.isPattern(/^#(?:[\dA-Fa-f]{3}|[\dA-Fa-f]{6})$/u, { message: "must be a colour such as #0172ad" })
    )
  )

const Colors = (scheme: string) =>
  Schema.optionalKey(
    Schema.Struct({
      accent: Color("Surface of buttons, and the colour of links unless `link` says another."),
      onAccent: Color("Words on that surface."),
      link: Color("Links, where the accent is too bright to be read."),
      background: Color("Page."),
      text: Color("Words on the page.")
    }).annotate({ description: `Colours for browsers that show pages ${scheme}. What is left out is as it was.` })
  )
export type Colors = Partial<Record<ColorName, string>>

export type ColorName = "accent" | "onAccent" | "link" | "background" | "text"

const isWebAddress = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === "https:"

const Address = (description: string) => Schema.optionalKey(text(isWebAddress, "must be an https address", description))

const PictureFile = (description: string) =>
  text((path) => /\.(?:svg|png)$/iu.test(path), "must be the path of an SVG or PNG file", description)

export const BrandEntry = Schema.Struct({
  name: Words(60, "Name of the platform, as its users know it."),
  hosts: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[\da-f:.]+\])$/u, {
          message: "must be the name of a host, in lower case and without a port, such as accounts.orbit.example"
        })
      )
    ).annotate({ description: "Hosts at which the server has this brand. The first brand has all others, too." })
  ),
  logo: Schema.optionalKey(
    Schema.Struct({
      light: PictureFile("SVG or PNG for light pages; a path that begins at the folder of this file."),
      dark: Schema.optionalKey(PictureFile("The same for dark pages.")),
      hasName: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "The picture shows the name, so pages do not write it beside." })
      )
    }).annotate({ description: "Picture at the head of pages and in the tab of the browser." })
  ),
  colors: Schema.optionalKey(
    Schema.Struct({ light: Colors("light"), dark: Colors("dark") }).annotate({
      description: "Colours of pages and mails, each readable on those beneath it."
    })
  ),
  signIn: Schema.optionalKey(
    Schema.Struct({
      oidc: Schema.optionalKey(Words(60, "The OpenID Connect provider: \"Orbit\" makes \"Sign in with Orbit\".")),
      handover: Schema.optionalKey(Words(60, "The platform that hands users over, likewise."))
    }).annotate({ description: "What the buttons of the sign-in page call the ways to sign in elsewhere." })
  ),
  support: Schema.optionalKey(
    text(
      (text) => isMailAddress(text) || isWebAddress(text),
      "must be a mail address or an https address",
      "Where people get help: a mail address, or the address of a page."
    )
  ),
  privacy: Address("The privacy policy."),
  terms: Address("The terms of use."),
  imprint: Address("Who is behind the pages."),
  mailFrom: Schema.optionalKey(
    text(
      isMailbox,
      "must be a mail address, with a name or without",
      "Sender of mails: \"Orbit <no-reply@orbit.example>\"."
    )
  )
}).annotate({ description: "Name and look for some hosts." })
export type BrandEntry = typeof BrandEntry.Type

export const BrandFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String.annotate({ description: "Address of this schema, for editors." })),
  format: Schema.Literal(1).annotate({ description: "Version of the format." }),
  brands: Schema.Array(BrandEntry).check(
    Schema.isMinLength(1, { message: "must have at least one brand" }),
    Schema.isMaxLength(100, { message: "must have at most 100 brands" })
  ).annotate({ description: "Brands of the server. The first one is for every host that no other has." })
}).annotate({ description: "Name and look of a Slotkey server." })
export type BrandFile = typeof BrandFile.Type
