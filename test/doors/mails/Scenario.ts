import { type Brand, plain } from "../../../src/domain/brand/Brand.ts"
import { builtInFile } from "../../../src/domain/catalogue/BuiltIn.ts"
import * as Catalogue from "../../../src/domain/catalogue/Catalogue.ts"
import type { CatalogueFile } from "../../../src/domain/catalogue/file/CatalogueFile.ts"
import { type SampleMail, sampleMails } from "../../../src/doors/mails/Samples.ts"
import { writtenMail } from "../../../src/doors/mails/WrittenMail.ts"
import type { Language } from "../../../src/foundation/messages/Language.ts"
import { pseudo } from "../../support/PseudoLanguage.ts"

export const place = { authUrl: "https://auth.example.com" }

export const brand: Brand = { ...plain, support: "help@example.com" }

/** Built-in catalogue with its texts in the pseudo-language as well. */
export const catalogue = Catalogue.make(
  JSON.parse(
    JSON.stringify(builtInFile()),
    (key, value) =>
      typeof value === "string" && ["title", "covers", "account", "everything"].includes(key)
        ? { en: value, "en-XA": pseudo(value) }
        : value
  ) as CatalogueFile
)

/** Names in letters that no English text has. */
export const accentedNames = {
  person: "Ümýt Ñø",
  other: "Åðå Æ",
  app: "Þé Åpþ",
  key: "Ķéý",
  reason: "Ñö.",
  purpose: "Šĥöŵš."
}

/** Every mail as its recipient gets it. */
export const allWritten = (language: Language, names?: Parameters<typeof sampleMails>[2]) =>
  sampleMails(place, catalogue, names).map(({ mail, name, to }: SampleMail) => ({
    name,
    to,
    ...writtenMail(mail, to, place.authUrl, { language, brand })
  }))
