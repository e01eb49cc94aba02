import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { leadsElsewhere } from "../../../src/doors/consent/AskingApp.ts"

const label = Schema.Literals(["app", "auth", "b", "pay", "shop", "xn--bcher-kva"])
const suffix = Schema.Literals(["example", "co.uk", "github.io"])
const to = (host: string, site: string) => leadsElsewhere(`https://${site}`, `https://${host}/callback`)

describe("the next page after consent", () => {
  it.prop("is elsewhere when its host is neither that of the website nor above or beneath it", [
    label,
    label,
    label,
    suffix
  ], ([one, other, name, end]) => {
    const site = `${name}.${end}`
    for (const host of [site, `www.${site}`, `${one}.${site}`, `${one}.${other}.${site}`]) {
      assert.isFalse(to(host, site), host)
      assert.isFalse(to(host, `www.${site}`), host)
      assert.isFalse(to(site, host), host)
    }
    // Names that only end alike, and neighbours under one suffix, are strangers; two hosts of one domain look the same.
    assert.isTrue(to(`x${site}`, site))
    assert.strictEqual(to(`${one}.${end}`, `${other}.${end}`), one !== other)
    assert.strictEqual(to(`${one}.${site}`, `${other}.${site}`), one !== other)
  })

  it("is not judged where no website gets the answer", () => {
    for (const uri of ["com.example.app:/callback", "http://127.0.0.1:8080/callback", "http://[::1]/callback"]) {
      assert.isFalse(leadsElsewhere("https://app.example", uri), uri)
    }
  })
})
