import { assert, describe, it } from "@effect/vitest"
import { browserName } from "../../../src/doors/account/BrowserName.ts"
import { html } from "../../../src/foundation/web/Html.ts"
import { written } from "../../support/Written.ts"

const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)"
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"

describe("The name of a browser", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox 130 on Linux"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36`, "Chrome 131 on Windows"],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`, "Edge 131 on Windows"],
    [`${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`, "Safari 18 on Mac"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
      "Safari 18 on iPhone"
    ],
    [`Mozilla/5.0 (Linux; Android 14) ${webkit} Chrome/131.0.0.0 Mobile Safari/537.36`, "Chrome 131 on Android"],
    ["curl/8.5.0", "curl 8"],
    ["something else entirely", "something else entirely"],
    ["x".repeat(300), "x".repeat(60)],
    [null, "an unknown browser"]
  ])("of %s is %s", (userAgent, name) => {
    assert.strictEqual(written(html`${browserName(userAgent)}`), name)
  })
})
