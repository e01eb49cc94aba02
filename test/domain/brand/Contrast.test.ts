import { assert, describe, it } from "@effect/vitest"
import { contrast, mix, readableOn } from "../../../src/domain/brand/Contrast.ts"
import { paletteOf, unreadable } from "../../../src/domain/brand/Palette.ts"

describe("contrast", () => {
  // As WebAIM's and the W3C's own examples have them.
  it.each([
    ["#000000", "#ffffff", 21],
    ["#fff", "#ffffff", 1],
    ["#777777", "#ffffff", 4.48],
    ["#767676", "#ffffff", 4.54],
    ["#0000ff", "#ffffff", 8.59],
    ["#ff0000", "#00ff00", 2.91]
  ])("of %s and %s is %f", (one, other, ratio) => {
    assert.closeTo(contrast(one, other), ratio, 0.005)
    assert.strictEqual(contrast(one, other), contrast(other, one))
  })

  it("is enough in the colour that is proposed in place of another, which is the nearest", () => {
    assert.strictEqual(mix("#000000", "#ffffff", 0.5), "#808080")
    const proposed = readableOn("#3b9dd9", ["#ffffff"], 4.5) ?? ""
    assert.isAtLeast(contrast(proposed, "#ffffff"), 4.5)
    assert.isBelow(contrast(proposed, "#ffffff"), 4.7)
    assert.isUndefined(readableOn("#808080", ["#000000", "#ffffff"], 5))
  })
})

describe("the colours of a brand", () => {
  it("make those of messages readable, and all that is made of them", () => {
    const colors = { background: "#7f1d1d", text: "#fff", link: "#fff" }
    assert.deepStrictEqual(unreadable("light", colors), [])
    const { background, error, linkHover, muted, success, tint, warning, ...rest } = paletteOf("light", colors)
    for (const color of [error, linkHover, muted, success, warning]) {
      for (const ground of [background, tint]) assert.isAtLeast(contrast(color, ground), 4.5, color)
    }
    assert.isAtLeast(contrast(rest.onAccent, rest.accentHover), contrast(rest.onAccent, rest.accent))
    assert.strictEqual(paletteOf("light", { accent: "#0172ad" }).error, "#b3261e")
  })

  it("are as they were where it names none, and those can be read", () => {
    assert.deepStrictEqual(unreadable("light", {}), [])
    // One that is named has all pairs checked, those of the usual colours with them.
    assert.deepStrictEqual(unreadable("light", { text: "#373c44" }), [])
    assert.deepStrictEqual(unreadable("dark", { text: "#c2c7d0" }), [])
  })

  it.each([
    ["text", { text: "#999999" }, "\"text\" (#999999) on \"background\" (#ffffff)"],
    ["text", { text: "#747474" }, "\"text\" (#747474) on the surface of boxes (#f8f8f8"],
    ["link", { link: "#66aaff" }, "\"link\" (#66aaff) on \"background\""],
    [
      "accent",
      { accent: "#ffcc00", onAccent: "#000" },
      "links in the colour of \"accent\" (#ffcc00) on \"background\""
    ],
    ["onAccent", { accent: "#ffcc00", link: "#7a5200" }, "\"onAccent\" (#ffffff) on \"accent\" (#ffcc00)"]
  ])("are refused by the name of the pair: %s", (color, colors, pair) => {
    const [first] = unreadable("light", colors)
    assert.strictEqual(first?.color, color)
    assert.include(first?.problem, `${pair}`)
  })

  it("are proposed where one can be mended", () => {
    const [first] = unreadable("light", { text: "#999999" })
    const [, proposed = ""] = /"(#\w+)" would do/.exec(first?.problem ?? "") ?? []
    assert.deepStrictEqual(unreadable("light", { text: proposed }), [])
    const [accent] = unreadable("light", { accent: "#ffcc00", onAccent: "#000000" })
    const [, link = ""] = /Say "link": "(#\w+)"/.exec(accent?.problem ?? "") ?? []
    assert.deepStrictEqual(unreadable("light", { accent: "#ffcc00", onAccent: "#000000", link }), [])
  })
})
