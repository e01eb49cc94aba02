import { type Html, html, type Reader, write } from "../../foundation/web/Html.ts"
import { text } from "../../foundation/web/Message.ts"
import type { Block, FramedMail } from "./Mail.ts"
import type { Colours, MailBrand } from "./MailBrand.ts"
import { plain } from "./MailText.ts"

// Mail programs know little of CSS: some drop the style sheet, some lay out tables alone, none may load anything. So
// the light look stands in each element, and the sheet has what it changes in the dark.

/** A mail with a look: nothing of it is loaded from elsewhere, and every address shows where it leads. */
export const htmlOf = ({ blocks, footer, greeting, subject }: FramedMail, brand: MailBrand, reader: Reader): string => {
  const { direction, tag } = reader.language
  const look: Look = { ...brand.light, start: direction === "rtl" ? "right" : "left" }
  return write(
    html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${plain(subject, reader)}</title>
${inTheDark(brand.dark)}
</head>
<body class="ground" style="margin:0;padding:0;background:#f3f5f8;color:#1d2433">
<div style="display:none;max-height:0;overflow:hidden">${preheader(blocks)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" style="background:#f3f5f8">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:580px;table-layout:fixed">
<tr><td role="banner" align="${look.start}" class="accent" style="padding:0 4px 14px;${font}font-size:17px;font-weight:700;color:${look.accent}"><bdi>${brand.name}</bdi></td></tr>
<tr><td role="main" align="${look.start}" class="card" style="padding:28px 24px 12px;background:#ffffff;border:1px solid #dde2ea;border-radius:12px;${font}font-size:16px;line-height:1.55;color:#1d2433;${breaking}">
<h1 class="strong" style="margin:0 0 16px;font-size:21px;line-height:1.3;color:#10151f">${subject}</h1>
${paragraph(greeting)}
${blocks.map((block) => blockHtml(block, look))}
</td></tr>
<tr><td role="contentinfo" align="${look.start}" class="muted" style="padding:16px 4px 0;${font}font-size:13px;line-height:1.5;color:#566074;${breaking}">${
      footer.map((line) => html`<p style="margin:0 0 4px">${line}</p>`)
    }</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`,
    reader
  )
}

interface Look extends Colours {
  /** Side at which lines begin: not every mail program knows it by its direction. */
  readonly start: "left" | "right"
}

/** What lists of mails show beside the subject. */
const preheader = (blocks: ReadonlyArray<Block>) => {
  const first = blocks.find(({ _tag }) => _tag === "Paragraph")
  return first?._tag === "Paragraph" ? first.text : ""
}

const blockHtml = (block: Block, look: Look): Html => {
  switch (block._tag) {
    case "Paragraph":
      return paragraph(block.text)
    case "Heading":
      return html`<h2 class="strong line" style="margin:24px 0 12px;padding-top:20px;border-top:1px solid #e4e8ef;font-size:17px;line-height:1.35;color:#10151f">${block.text}</h2>\n`
    case "List":
      return html`<p style="margin:0 0 6px">${block.title}</p>
<ul style="margin:0 0 18px;padding:0 22px">${
        block.items.map((item) => html`<li style="margin:0 0 4px">${item}</li>\n`)
      }</ul>\n`
    case "Facts":
      return html`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 18px;border-collapse:collapse;table-layout:fixed">${
        block.facts.map(({ label, value }) =>
          html`<tr>
<th scope="row" width="34%" align="${look.start}" class="muted line" style="padding:7px 0;border-top:1px solid #e4e8ef;vertical-align:top;${font}font-size:14px;line-height:1.5;font-weight:600;color:#566074;${breaking}">${label}</th>
<td align="${look.start}" class="line" style="padding:7px 0 7px;padding-${look.start}:12px;border-top:1px solid #e4e8ef;vertical-align:top;${font}font-size:15px;line-height:1.5;${breaking}">${value}</td>
</tr>\n`
        )
      }</table>\n`
    case "Quote":
      return html`<p style="margin:0 0 6px">${block.title}</p>
<blockquote dir="auto" class="quote" style="margin:0 0 18px;padding:8px 14px;background:#f3f5f8;border-${look.start}:3px solid #8a94a6;white-space:pre-wrap">${block.words}</blockquote>\n`
    case "Button":
      return html`<p style="margin:22px 0 8px"><a href="${block.address}" class="button" style="display:inline-block;padding:11px 20px;border-radius:8px;background:${look.button};color:${look.label};font-weight:600;text-decoration:none">${block.label}</a></p>
<p style="margin:0 0 20px;font-size:13px;line-height:1.5">${address(block.address, look)}</p>\n`
    case "Link":
      return html`<p style="margin:0 0 16px">${text("mail.before", { label: block.label })}<br>${
        address(block.address, look)
      }</p>\n`
  }
}

const paragraph = (content: FramedMail["greeting"]) => html`<p style="margin:0 0 16px">${content}</p>\n`

/** A link whose text is where it leads. */
const address = (address: string, { accent }: Look) =>
  html`<a href="${address}" dir="ltr" class="accent" style="color:${accent}">${address}</a>`

const font = "font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;"

const breaking = "overflow-wrap:anywhere;word-break:break-word"

/** Style sheet without what only a style attribute says. */
const inTheDark = ({ accent, button, label }: Colours): Html =>
  html`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
.ground { background: #12161d !important; color: #e4e8ef !important }
.card { background: #1b212b !important; border-color: #323b49 !important; color: #e4e8ef !important }
.strong { color: #ffffff !important }
.muted { color: #a9b3c3 !important }
.line { border-color: #323b49 !important }
.quote { background: #12161d !important; border-color: #7b8799 !important }
.accent { color: ${accent} !important }
.button { background: ${button} !important; color: ${label} !important }
}
</style>`
