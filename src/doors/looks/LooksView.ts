import type { Brand, Brands } from "../../domain/brand/Brand.ts"
import { inEnglish, inLanguage } from "../../domain/files/Words.ts"
import { assetsOf } from "../../foundation/web/BrandAssets.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { looksPath } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Sample } from "./Samples.ts"

interface LooksView {
  readonly brands: Brands
  readonly pages: ReadonlyArray<Sample>
  readonly mails: ReadonlyArray<Sample>
}

/** Every brand of the server, with what its users see. */
export const looksBody = ({ brands: { all }, mails, pages }: LooksView): Html =>
  html`<h1>${text("looks")}</h1>
<p>${text("looks.why", { setting: html`<code>BRAND</code>` })}</p>
${
    all.map((brand, at) =>
      html`<article class="look">
<h2>${logoOf(brand)}<bdi>${nameOf(brand)}</bdi></h2>
${factsOf(brand, at === 0)}
${samplesOf(brand, text("looks.pages"), pages)}
${mails.length === 0 ? nothing : samplesOf(brand, text("looks.mails"), mails)}
</article>`
    )
  }`

const nameOf = ({ name }: Brand): Html => forReader(({ language }) => inLanguage(name, language.tag))

/** Both pictures, each on the colour of its page. */
const logoOf = (brand: Brand): Html => {
  const { logo } = assetsOf(brand)
  return logo === undefined ? nothing : html`<img src="${logo.light.path}" alt=""> `
}

const factsOf = ({ hosts, mailFrom, support }: Brand, isFirst: boolean): Html =>
  html`<dl class="facts">
<dt>${text("looks.facts.hosts")}</dt><dd>${hosts.map((host) => html`<code>${host}</code> `)}${
    isFirst ? text("looks.default") : nothing
  }</dd>
<dt>${text("looks.facts.sender")}</dt><dd><bdi>${mailFrom}</bdi></dd>
<dt>${text("looks.facts.support")}</dt><dd>${
    support === undefined ? text("looks.facts.missing") : html`<bdi>${support}</bdi>`
  }</dd>
</dl>`

const samplesOf = (brand: Brand, heading: Phrase, samples: ReadonlyArray<Sample>): Html =>
  html`<h3>${heading}</h3>
<ul class="samples">${
    samples.map(({ id, label }) =>
      html`<li><a href="${looksPath}/${id}?${
        new URLSearchParams({ brand: inEnglish(brand.name) }).toString()
      }" target="_blank" rel="noopener">${label}</a></li>`
    )
  }</ul>`
