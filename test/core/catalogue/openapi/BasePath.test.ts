import { assert, describe, it } from "@effect/vitest"
import { basePath } from "../../../../src/core/catalogue/openapi/BasePath.ts"

describe("basePath", () => {
  it.each([
    [undefined, ""],
    [[], ""],
    [[{ url: "/" }], ""],
    [[{ url: "/api" }], "/api"],
    [[{ url: "/api/" }], "/api"],
    [[{ url: "api/v1" }], "/api/v1"],
    [[{ url: "./api" }], "/api"],
    [[{ url: "https://orbit.example" }], ""],
    [[{ url: "https://orbit.example/api/v1/" }], "/api/v1"],
    [[{ url: "//orbit.example/Api" }], "/Api"],
    [[{ url: "https://orbit.example/api?x=/y#/z" }], "/api"],
    [[{ url: "https://eu.orbit.example/api" }, { url: "https://us.orbit.example/api" }], "/api"],
    [[{ url: "https://{tenant}.orbit.example/api" }], "/api"],
    [
      [{ url: "https://{region}.orbit.example/api", variables: { region: { default: "eu", enum: ["eu", "us"] } } }],
      "/api"
    ],
    [[{
      url: "https://orbit.example:{port}/{base}",
      variables: { port: { default: 443 }, base: { default: "api/v2" } }
    }], "/api/v2"],
    [[{ url: "{server}/v1", variables: { server: { default: "https://orbit.example/api" } } }], "/api/v1"]
  ])("of %j is %j", (servers, path) => {
    assert.deepStrictEqual(basePath(servers), { path })
  })

  it.each([
    [
      [{ url: "https://orbit.example/v1" }, { url: "https://orbit.example/v2" }],
      "/v1",
      /several base paths, \/v1, \/v2/
    ],
    [[{ url: "/{version}", variables: { version: { default: "v2", enum: ["v1", "v2"] } } }], "/v2", /\/v2, \/v1/],
    [[{ url: "https://orbit.example" }, { url: "/api" }], "", /several base paths, \/, \/api/],
    [[{ url: "https://orbit.example/{base}" }], "", /“https:\/\/orbit\.example\/\{base\}” is not known/],
    [[{ url: "https://orbit.example/{toString}", variables: {} }], "", /is not known/],
    [[{}], "", /no list of addresses/],
    ["https://orbit.example", "", /no list of addresses/]
  ])("of %j is a guess that is listed", (servers, path, problem) => {
    const found = basePath(servers)
    assert.strictEqual(found.path, path)
    assert.match(found.problem ?? "", problem)
    assert.include(found.problem, "--prefix")
  })
})
