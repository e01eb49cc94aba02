import { parseAst } from "rolldown/parseAst"
import { visibleTexts } from "../../support/VisibleTexts.ts"
import { is, visitNodes } from "./Nodes.ts"

/**
 * Texts for people that the code of a page has itself: in its markup, in what it gives to the parts of pages, and in
 * notices.
 */
export const textsInView = (code: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  visitNodes(parseAst(code, { lang: "ts" }), (node) => {
    if (is(node, "TaggedTemplateExpression") && is(node["tag"], "Identifier") && node["tag"]["name"] === "html") {
      const markup = textOf(node["quasi"])
      // A template may be an attribute.
      if (!/^ [a-z-]+(?:=|$)/.test(markup)) found.push(...visibleTexts(markup))
    }
    // Notice of an act.
    if (is(node, "CallExpression") && is(node["callee"], "MemberExpression") && Array.isArray(node["arguments"])) {
      const { property } = node["callee"]
      if (is(property, "Identifier") && property["name"] === "redirect") found.push(...literalsIn(node["arguments"][2]))
    }
    if (is(node, "Property") && is(node["key"], "Identifier") && shown.has(String(node["key"]["name"]))) {
      found.push(...literalsIn(node["value"]))
    }
  })
  return found.filter((text) => /[A-Za-z]{2,}/.test(text.replaceAll("Slotkey", "")))
}

/** Parameters of the parts of pages whose values people read. */
const shown = new Set(["backLabel", "button", "hint", "label", "question", "remedy", "title", "what"])

const literalsIn = (value: unknown): ReadonlyArray<string> => {
  if (is(value, "Literal")) {
    return typeof value["value"] === "string" && isSentence.test(value["value"])
      ? [value["value"]]
      : []
  }
  if (is(value, "TemplateLiteral")) return [textOf(value)]
  return is(value, "ConditionalExpression")
    ? [...literalsIn(value["consequent"]), ...literalsIn(value["alternate"])]
    : []
}

/** A name in the code begins with a small letter, and has no spaces. */
const isSentence = /^[A-Z]|\s/

/** What a template has between its values. */
const textOf = (template: unknown): string =>
  is(template, "TemplateLiteral") && Array.isArray(template["quasis"])
    ? template["quasis"].map(({ value }) => value.cooked).join("")
    : ""
