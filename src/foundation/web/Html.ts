import { html as template, raw } from "hono/html"
import type { HtmlEscapedString } from "hono/utils/html"

/** Markup in which every interpolated text was escaped. */
export type Html = HtmlEscapedString

/** Markup from a template; what is interpolated is escaped unless it is markup itself, a list is joined. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Part>): Html =>
  // Hono answers a promise only for promises among the values, and `Part` admits none.
  template(strings, ...values) as Html

export type Part = Html | string | number | boolean | null | undefined | ReadonlyArray<Html>

/** No markup. */
export const nothing: Html = raw("")
