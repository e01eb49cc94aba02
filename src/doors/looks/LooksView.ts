import type { Brand, Brands } from "../../domain/brand/Brand.ts"
import { paletteOf, type Scheme } from "../../domain/brand/Palette.ts"
import { inEnglish, inLanguage } from "../../domain/files/Words.ts"
import { assetsOf } from "../../foundation/web/BrandAssets.ts"
import { forReader, type Html, html, nothing, type Phrase } from "../../foundation/web/Html.ts"
import { looksPath } from "../../foundation/web/Layout.ts"
import { hidden, text } from "../../foundation/web/Message.ts"
import type { Sample } from "./Sample.ts"

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
<h2><bdi>${nameOf(brand)}</bdi></h2>
<p class="schemes">${[picture(brand, "light", text("looks.light")), picture(brand, "dark", text("looks.dark"))]}</p>
${factsOf(brand, at === 0)}
${samplesOf(brand, text("looks.pages"), pages)}
${samplesOf(brand, text("looks.mails"), mails)}
</article>`
    )
  }`

const nameOf = ({ name }: Brand): Html => forReader(({ language }) => inLanguage(name, language.tag))

/** Logo and colours of a scheme, on its page. A drawing, because the policy of pages lets no markup have styles. */
const picture = (brand: Brand, scheme: Scheme, label: Phrase): Html => {
  const { accent, background, line, link, onAccent, text } = paletteOf(scheme, brand.colors[scheme])
  const logo = assetsOf(brand).logo?.[scheme]
  const words = (color: string, x: number) => html`<rect x="${x}" y="29" width="30" height="8" rx="4" fill="${color}"/>`
  return html`<svg role="img" aria-label="${label}" viewBox="0 0 320 66" width="320" height="66"><rect x="1" y="1" width="318" height="64" rx="8" fill="${background}" stroke="${line}"/>${
    logo === undefined
      ? nothing
      : html`<image href="${logo.path}" x="18" y="17" width="140" height="32" preserveAspectRatio="xMinYMid"/>`
  }${words(text, 170)}${words(link, 210)}<rect x="252" y="15" width="50" height="36" rx="6" fill="${accent}"/>${
    words(onAccent, 262)
  }</svg>`
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
    samples.map(({ id, label, showText }) =>
      html`<li>${linkTo(brand, id, label)}${
        showText && html` · ${linkTo(brand, id, text("looks.asText", { subject: label, hidden }), { text: "1" })}`
      }</li>`
    )
  }</ul>`

const linkTo = ({ name }: Brand, id: string, label: Phrase, how: Readonly<Record<string, string>> = {}): Html =>
  html`<a href="${looksPath}/${id}?${
    new URLSearchParams({ brand: inEnglish(name), ...how }).toString()
  }" target="_blank" rel="noopener">${label}</a>`
