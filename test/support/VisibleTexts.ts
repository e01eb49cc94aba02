import { type HTMLElement, NodeType, parse } from "node-html-parser"

/** Texts of a page that its reader sees or hears: those between its tags, and those of attributes. */
export const visibleTexts = (page: string): ReadonlyArray<string> =>
  textsOf(parse(page.replace("<!doctype html>", "").replaceAll("<wbr>", ""))).filter((text) => text !== "")

const textsOf = (element: HTMLElement): ReadonlyArray<string> =>
  // Code is for programs, text areas and quotations have what somebody wrote, and times are written by the platform.
  // What a page shows as programs read it says so.
  ["SCRIPT", "STYLE", "BLOCKQUOTE", "CODE", "PRE", "TEXTAREA", "TIME"].includes(element.tagName) ||
    element.getAttribute("lang") === "en" ?
    [] :
    [
      ...element.childNodes.flatMap((node) =>
        node.nodeType === NodeType.TEXT_NODE ? [node.text.replaceAll(/\s+/g, " ").trim()] : textsOf(node as HTMLElement)
      ),
      ...spoken.flatMap((name) => element.getAttribute(name) ?? [])
    ]

const spoken = ["alt", "aria-label", "data-copied", "data-label", "placeholder", "title"]
