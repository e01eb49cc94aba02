import { inLanguage } from "../../domain/files/Words.ts"
import { forReader, type Html } from "../../foundation/web/Html.ts"

/** What people call a way to sign in elsewhere: the brand's word for it, or else the one that it comes with. */
export const wayName = (id: string, label: string): Html =>
  forReader(({ brand, language }) => {
    const name = brand.signIn[id]
    return name === undefined ? label : inLanguage(name, language.tag)
  })
