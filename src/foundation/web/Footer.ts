import { isMailAddress } from "../../domain/Mailbox.ts"
import { brandName } from "./BrandText.ts"
import { forReader, type Html, html, nothing, type Phrase } from "./Html.ts"
import { text } from "./Message.ts"

/** End of every page: who it is from, where people get help and read their rights, and the choice of its language. */
export const footer = (version: Phrase, languages: Html): Html =>
  html`<footer class="site"><div>
<p><bdi>${brandName}</bdi>${version}</p>
${links}
${languages}
</div></footer>`

const links = forReader(({ brand: { imprint, privacy, support, terms } }) => {
  const items = [
    item(support && (isMailAddress(support) ? `mailto:${support}` : support), text("frame.support")),
    item(privacy, text("frame.privacy")),
    item(terms, text("frame.terms")),
    item(imprint, text("frame.imprint"))
  ].filter((item) => item !== nothing)
  return items.length > 0 &&
    html`<nav aria-label="${text("frame.about", { brand: brandName })}"><ul>${items}</ul></nav>`
})

const item = (href: string | undefined, label: Phrase): Html =>
  href === undefined ? nothing : html`<li><a href="${href}">${label}</a></li>`
