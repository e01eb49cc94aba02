import { Effect, Option } from "effect"
import { AppConfig } from "../../foundation/config/AppConfig.ts"

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

/** The one brand that there is. */
export const mailBrand: Effect.Effect<MailBrand, never, AppConfig> = Effect.map(
  AppConfig,
  ({ authUrl, supportAddress }) => ({
    name: "Slotkey",
    host: new URL(authUrl).host,
    support: Option.getOrUndefined(supportAddress),
    light: { accent: "#0172ad", button: "#0172ad", label: "#ffffff" },
    dark: { accent: "#5cc2ff", button: "#0172ad", label: "#ffffff" }
  })
)
