import { type Html, html, nothing } from "./Html.ts"
import { text } from "./Message.ts"

interface Place {
  /** From 1. */
  readonly page: number
  readonly pages: number
}

/** Links to the page of a list before this one, and to the next; nothing for a list of one page. */
export const pager = ({ page, pages }: Place, addressOf: (page: number) => string): Html =>
  pages <= 1 ? nothing : html`<nav aria-label="${text("pager.pages")}"><ul>
<li>${page > 1 ? html`<a href="${addressOf(page - 1)}" rel="prev">${text("pager.previous")}</a>` : nothing}</li>
<li>${text("pager.page", { page, pages })}</li>
<li>${page < pages ? html`<a href="${addressOf(page + 1)}" rel="next">${text("pager.next")}</a>` : nothing}</li>
</ul></nav>`

/** Page that a query asks for, from 1; the first if it asks for none. */
export const pageIn = (query: { get(name: string): string | null | undefined }): number =>
  Math.max(1, Math.trunc(Number(query.get("page") ?? 1)) || 1)
