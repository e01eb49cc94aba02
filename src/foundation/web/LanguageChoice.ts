import type { Language } from "../messages/Language.ts"
import { csrfField, type Origin } from "./FormFields.ts"
import { forReader, type Html, html, nothing, type Part, type Reader } from "./Html.ts"
import { text } from "./Message.ts"
import { uiLocales } from "./ReaderWishes.ts"

/**
 * Languages that a reader may choose from, in each page's footer; nothing where there is one. With an account that is
 * kept here, a form writes the choice there. Everybody else gets links to the same page with `ui_locales`, which holds
 * as far as they lead (docs/languages.md).
 */
export const languageChoice = (account: Origin | undefined): Html =>
  forReader(({ choice, language }) => {
    if (choice === undefined) return nothing
    const items = (other: (language: Language) => Part) =>
      html`<ul>${
        choice.languages.map((one) =>
          html`<li>${
            one === language ? html`<span${inItself(one)} aria-current="true">${one.name}</span>` : other(one)
          }</li>`
        )
      }</ul>`
    return account === undefined
      ? html`<nav aria-label="${text("language")}">${
        items((one) =>
          html`<a href="${withLanguage(choice.address, one.tag)}" hreflang="${one.tag}"${inItself(one)}>${one.name}</a>`
        )
      }</nav>`
      : html`<form method="post" action="/account/language" aria-label="${text("language")}">${csrfField(account)}${
        items((one) => html`<button class="link" name="locale" value="${one.tag}"${inItself(one)}>${one.name}</button>`)
      }</form>`
  })

const inItself = ({ direction, tag }: Language): Html => html` lang="${tag}" dir="${direction}"`

/**
 * Choice of a page at this address; `undefined` where there is nothing to choose from, or where the address has a
 * secret: a page must not repeat that.
 */
export const choiceAt = (languages: ReadonlyArray<Language>, address: string): Reader["choice"] => {
  if (languages.length < 2) return undefined
  const url = URL.parse(address, placeholder)
  return url === null || secrets.some((name) => url.searchParams.has(name)) ? undefined : { address, languages }
}

/** Parameters of mailed links and of ways back from a sign-in elsewhere. */
const secrets = ["token", "code"]

/** Path of a form or a page whose reader has no account here yet: it keeps the language that they chose. */
export const inSameLanguage = (path: string): Html =>
  forReader(({ keepsLanguage = false, language }) => keepsLanguage ? withLanguage(path, language.tag) : path)

/** Address of ours whose page is in this language, and what it leads back to as well. */
const withLanguage = (address: string, tag: string): string => {
  const url = new URL(address, placeholder)
  const returnTo = url.searchParams.get("return_to") ?? ""
  url.searchParams.set(uiLocales, tag)
  if (returnTo.startsWith("/") && URL.canParse(returnTo, placeholder)) {
    url.searchParams.set("return_to", withLanguage(returnTo, tag))
  }
  return url.pathname + url.search
}

const placeholder = "https://own.invalid"
