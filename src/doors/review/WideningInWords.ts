import type { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { counted } from "../../domain/Counted.ts"
import { allOf, inQuotes } from "../../domain/Text.ts"
import type { TrailEntry } from "../parts/AuditTrailView.ts"

/** Entry with what a catalogue widened in the words of its scopes; the trail has the words of `catalogue plan`. */
export const inWords = (catalogue: Catalogue) => (entry: TrailEntry): TrailEntry => {
  const { widened } = entry.details
  return typeof widened === "string"
    ? { ...entry, details: { ...entry.details, widened: widened.split("; ").map(sentence(catalogue)).join("; ") } }
    : entry
}

const sentence = ({ describe }: Catalogue) => (text: string): string => {
  const [, scopes, what, listed = "", more = "0"] = form.exec(text) ?? []
  if (scopes === undefined) return text
  const named = (names: ReadonlyArray<string>) =>
    allOf(names.map((name) => `${inQuotes(describe(name).title)} (${name})`))
  const holder = named(scopes.split(" and "))
  const items = listed.split(", ")
  if (what === "covers") return `${holder} now includes ${named(items)}`
  // The end of a long text is left out, and with it the number.
  if (text.endsWith("…")) return `${holder} opens more: ${listed}`
  const number = items.length + Number(more)
  const operations = counted(number, what === "reaches" ? "more operation" : "new operation")
  return `${holder} opens ${operations}: ${listed}${more === "0" ? "" : ` and ${more} others`}`
}

const form = /^(.+?): (reaches the new|reaches|covers) (.+?)(?: and (\d+) more)?$/
