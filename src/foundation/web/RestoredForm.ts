import { raw } from "hono/html"
import { type HTMLElement, parse } from "node-html-parser"
import type { Parameters } from "../../domain/Parameters.ts"
import { markField, pageField, secretFields } from "./FormFields.ts"
import { type Html, html, nothing } from "./Html.ts"

/** Fields of a sent form that may be kept: no secret, and nothing of the session that it belonged to. */
export const keptFields = (fields: Parameters): Parameters =>
  new Map([...fields].filter(([name]) => !neverKept.has(name)))

const neverKept: ReadonlySet<string> = new Set([markField, pageField, ...secretFields])

/**
 * Fills in the form of a page as it was sent before, so that its user can go on with it. It works on the finished page:
 * no page needs a way of its own. A hidden field gets its old value back, too, so that a form about an old version of
 * something stays one.
 */
export const restored = ({ action, fields }: {
  /** Path that the form is sent to. */
  readonly action: string
  readonly fields: Parameters
}) =>
(body: Html): Html => {
  const page = parse(body.toString(), { comment: true })
  const form = page.querySelectorAll("form[method=post]").find((one) => one.getAttribute("action") === action)
  if (form === undefined) return html`${formGone(fields)}${body}`
  for (const input of form.querySelectorAll("input")) fillInput(input, fields)
  for (const select of form.querySelectorAll("select")) fillSelect(select, fields.get(nameOf(select)) ?? "")
  for (const area of form.querySelectorAll("textarea")) fillArea(area, fields.get(nameOf(area)) ?? "")
  const hasSecrets = form.querySelector("input[type=password]") !== null
  form.insertAdjacentHTML("afterbegin", formBack(hasSecrets).toString())
  return raw(page.toString())
}

const nameOf = (element: HTMLElement): string => element.getAttribute("name") ?? ""

const fillInput = (input: HTMLElement, fields: Parameters): void => {
  const name = nameOf(input)
  const type = input.getAttribute("type") ?? "text"
  const value = fields.get(name)
  if (neverKept.has(name) || type === "password") return
  if (type === "hidden" && value === undefined) return
  if (type !== "checkbox" && type !== "radio") return void set(input, "value", value ?? "")
  const isChosen = value === (input.getAttribute("value") ?? "on")
  if (!isChosen) return void input.removeAttribute("checked")
  set(input, "checked", "")
  show(input)
}

const fillSelect = (select: HTMLElement, value: string): void => {
  const options = select.querySelectorAll("option")
  const chosen = options.find((option) => (option.getAttribute("value") ?? option.text) === value)
  if (chosen === undefined) return
  for (const option of options) option.removeAttribute("selected")
  set(chosen, "selected", "")
}

const fillArea = (area: HTMLElement, value: string): void => {
  // Browsers leave out a line break at the beginning.
  area.innerHTML = html`\n${value}`.toString()
  if (value !== "") show(area)
}

/** The library takes attributes as they stand in the page. */
const set = (element: HTMLElement, name: string, value: string): void =>
  void element.setAttribute(name, html`${value}`.toString())

/** Opens what is folded away around something that the user has filled in. */
const show = (element: HTMLElement): void => {
  for (let one = element.closest("details"); one !== null; one = one.parentNode?.closest("details") ?? null) {
    set(one, "open", "")
  }
}

const formBack = (hasSecrets: boolean): Html =>
  html`<p class="notice" role="status" tabindex="-1" autofocus>You are signed in again, and this form was not sent. It is as you left it${
    hasSecrets ? ", without passwords and secrets" : ""
  }: look it over, then send it.</p>`

/** Saves what was written where the page has no such form any more, because something has changed meanwhile. */
const formGone = (fields: Parameters): Html =>
  html`<div class="notice" role="status" tabindex="-1" autofocus><p>You are signed in again. Your form was not sent, and it is not on this page any more, because something has changed meanwhile.${
    texts(fields).length === 0 ? nothing : " This is what you had written:"
  }</p>${texts(fields).map((text) => html`<blockquote class="lines">${text}</blockquote>`)}</div>`

/** Values of more than a word: the others are ids, versions and choices. */
const texts = (fields: Parameters): ReadonlyArray<string> => [...fields.values()].filter((text) => /\s/.test(text))
