import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { inQuotes } from "../../domain/Text.ts"
import { forReader, type Html, html, type Phrase } from "../../foundation/web/Html.ts"
import { listText } from "../../foundation/web/ListText.ts"
import { text } from "../../foundation/web/Message.ts"
import type { TrailEntry } from "../parts/AuditTrailView.ts"

/** Entry with what a catalogue widened in the words of its scopes; the trail has the words of `catalogue plan`. */
export const inWords = (catalogue: Catalogue) => (entry: TrailEntry): TrailEntry => {
  const { widened } = entry.details
  return typeof widened === "string"
    ? { ...entry, details: { ...entry.details, widened: widened.split("; ").map(sentence(catalogue)) } }
    : entry
}

const sentence = ({ describe }: Catalogue) => (planned: string): Phrase => {
  const [, scopes, what, listed = "", more = "0"] = form.exec(planned) ?? []
  if (scopes === undefined) return planned
  const named = (names: ReadonlyArray<string>): Html =>
    listText(
      names.map((scope) =>
        forReader(({ language: { tag } }) =>
          text("widening.scope", { title: inQuotes(describe(scope, tag).title), scope: code(scope) })
        )
      )
    )
  const holders = scopes.split(" and ")
  const [names, count] = [named(holders), holders.length]
  const items = listed.split(", ")
  if (what === "covers") return text("widening.includes", { scopes: names, count, included: named(items) })
  const operations = code(listed)
  // The end of a long text is left out, and with it the number.
  if (planned.endsWith("…")) return text("widening.opens", { scopes: names, count, operations })
  const others = Number(more)
  const number = items.length + others
  return what === "reaches"
    ? text("widening.opensMore", { scopes: names, count, number, operations, others })
    : text("widening.opensNew", { scopes: names, count, number, operations, others })
}

const code = (name: string): Html => html`<code>${name}</code>`

const form = /^(.+?): (reaches the new|reaches|covers) (.+?)(?: and (\d+) more)?$/
