import { inLanguage } from "../../domain/files/Words.ts"
import { forReader, type Html } from "./Html.ts"

/** Name of the platform, as its users know it. */
export const brandName: Html = forReader(({ brand, language }) => inLanguage(brand.name, language.tag))
