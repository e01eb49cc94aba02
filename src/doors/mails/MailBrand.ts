import type { Brand } from "../../domain/brand/Brand.ts"
import { paletteOf, type Scheme } from "../../domain/brand/Palette.ts"
import { inLanguage } from "../../domain/files/Words.ts"

/** What mails look like, and whom they come from. */
export interface MailBrand {
  readonly name: string
  /** Host of the server, by which its users know it. */
  readonly host: string
  /** Address for questions. */
  readonly support: string | undefined
  readonly light: Colours
  readonly dark: Colours
}

export interface Colours {
  /** Name and links, on the ground of a mail. */
  readonly accent: string
  /** Ground of a button, and its label. */
  readonly button: string
  readonly label: string
}

/** How mails of a brand look, from the server at this address, in a language. */
export const mailBrand = (brand: Brand, authUrl: string, language: string): MailBrand => ({
  name: inLanguage(brand.name, language),
  host: new URL(authUrl).host,
  support: brand.support,
  light: coloursOf(brand, "light"),
  dark: coloursOf(brand, "dark")
})

const coloursOf = ({ colors }: Brand, scheme: Scheme): Colours => {
  const { accent, link, onAccent } = paletteOf(scheme, colors[scheme])
  return { accent: link, button: accent, label: onAccent }
}
