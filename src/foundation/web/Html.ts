import { html as template, raw } from "hono/html"
import type { HtmlEscapedString } from "hono/utils/html"

/** Markup in which every interpolated text has been escaped. */
export type Html = HtmlEscapedString

/** Makes markup from a template: interpolated texts are escaped, markup is kept, and lists of markup are joined. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Part>): Html =>
  // Hono returns a promise only if one is among the values, and `Part` admits none.
  template(strings, ...values) as Html

type Part = Html | string | number | boolean | null | undefined | ReadonlyArray<Html>

/** Empty markup. */
export const nothing: Html = raw("")
