import { assert, it } from "@effect/vitest"
import { sources } from "./Calls.ts"
import { textsInView } from "./TextsInViews.ts"

// No user of the platform meets the reference of the API: its texts are no messages.
it("no view has a text of its own", () => {
  const views = sources.filter(([file, code]) =>
    /^src\/(?:app|doors\/(?!cli|contract|docs|oauth|resource)|foundation\/web)/.test(file) &&
    /foundation\/web|"\.\/Html\.ts"/.test(code)
  )
  assert.isAtLeast(views.length, 50)
  assert.deepStrictEqual(views.flatMap(([file, code]) => textsInView(code).map((text) => [file, text])), [])
})

it.each([
  ["in its markup", "html`<p>${name} was here</p>`"],
  ["in an attribute", "html`<img alt=\"Portrait\">`"],
  ["in a notice", "pages.redirect(visitor, path, \"It is done.\")"],
  ["for a part of the page", "failurePage({ status: 404, title: text(\"a\"), what: isGone ? `Gone: ${it}` : other })"]
])("a view is found that has a text %s", (_, code) => {
  assert.lengthOf(textsInView(code), 1)
})

it("markup, attributes and names are no texts", () => {
  const code =
    "[html` dir=\"auto\"`, html` selected`, html`<b class=\"x\">${name}</b> · Slotkey`, field({ name: \"email\" })]"
  assert.deepStrictEqual(textsInView(code), [])
})
