import type { Fault } from "../../domain/Input.ts"
import { faultText } from "./FaultText.ts"
import { type Html, html, nothing, type Phrase } from "./Html.ts"
import { text } from "./Message.ts"

interface Area {
  readonly name: string
  /** Set where a page has two inputs of the same name. */
  readonly id?: string
  readonly label: Phrase
  readonly value: string
  readonly rows: number
  readonly hint: Phrase
  /** For a list with an item on each line: these items. */
  readonly lines?: ReadonlyArray<string>
  readonly required?: boolean
}

/** A labelled text of more than one line, with what is wrong with it. */
export const area = (
  { hint, label, lines, name, id = name, required = true, rows, value }: Area,
  faults: ReadonlyArray<Fault>
): Html => {
  const wrong = lines === undefined
    ? faults.filter(({ path }) => path === name).map((fault) => faultText(label, fault))
    : perLine(label, name, lines, faults)
  return html`<label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="${rows}"${required ? html` required` : nothing} spellcheck="${
    lines === undefined ? "true" : "false"
  }" aria-describedby="${id}-note"${wrong.length > 0 ? html` aria-invalid="true"` : nothing}>
${value}</textarea>
${
    wrong.length === 0
      ? html`<small id="${id}-note" class="muted">${hint}</small>`
      : html`<small id="${id}-note" class="error">${wrong.map((fault) => html`<span>${fault}</span>`)}</small>`
  }`
}

/** Faults of single lines name the line, because the box has no room beside each. */
const perLine = (
  label: Phrase,
  name: string,
  lines: ReadonlyArray<string>,
  faults: ReadonlyArray<Fault>
): ReadonlyArray<Html> =>
  faults.flatMap((fault): ReadonlyArray<Html> => {
    if (fault.path === name) return [faultText(label, fault)]
    const [list, at] = fault.path.split(".")
    if (list !== name) return []
    const line = lines[Number(at)] ?? ""
    return [faultText(text("form.line", { line: Number(at) + 1, text: html`<bdi>${shortened(line)}</bdi>` }), fault)]
  })

const shortened = (line: string): string => line.length > 60 ? `${line.slice(0, 60)}…` : line
