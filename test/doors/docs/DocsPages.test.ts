import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { parse } from "node-html-parser"
import { builtIn } from "../../../src/domain/catalogue/Catalogue.ts"
import { EndpointPolicy } from "../../../src/domain/catalogue/EndpointPolicy.ts"
import { DocsPages } from "../../../src/doors/docs/DocsPages.ts"
import { operationsOf, readDocument } from "../../../src/doors/docs/DocumentModel.ts"
import { operationView } from "../../../src/doors/docs/OperationView.ts"
import { ScopeMapPages } from "../../../src/doors/docs/ScopeMapPages.ts"
import { AppConfig } from "../../../src/foundation/config/AppConfig.ts"
import { httpSender } from "../../support/HttpSender.ts"
import { written } from "../../support/Written.ts"
import { document, operations } from "../contract/Fixture.ts"

class Sender extends Context.Service<Sender, Effect.Success<ReturnType<typeof httpSender>>>()(
  "slotkey/test/doors/docs/DocsPages.test/Sender"
) {}

const Sending = Layer.effect(
  Sender,
  httpSender(Layer.merge(DocsPages, ScopeMapPages).pipe(Layer.provide(HttpServer.layerServices)))
).pipe(
  Layer.provide([
    AppConfig.layerTest({ BASE_URL: "https://api.slotkey.test", AUTH_URL: "https://app.slotkey.test" }),
    EndpointPolicy.layer
  ])
)

const ask = Effect.fnUntraced(function*(path: string) {
  const response = yield* (yield* Sender)(path)
  return { response, text: yield* Effect.promise(() => response.text()) }
})

layer(Sending)("the reference of the API", (it) => {
  it.effect("shows each operation with its request as a command and its answer, without JavaScript", () =>
    Effect.gen(function*() {
      const { text } = yield* ask("/docs")
      const articles = new Map(
        Array.from(text.matchAll(/<article class="operation" id="(.+?)"[^]+?<\/article>/g), (found) => [
          found[1],
          parse(found[0])
        ])
      )
      assert.strictEqual(articles.size, operations.length)
      for (const { name, operation: { operationId, responses } } of operations) {
        const article = articles.get(operationId)
        assert.strictEqual(article?.querySelector(".address")?.text, name)
        const [request, answer] = article?.querySelectorAll("pre").map(({ text }) => text.replace("<code>", "")) ?? []
        assert.match(request ?? "", /^curl '?https:\/\/(api|app)\.slotkey\.test\//, name)
        assert.match(answer ?? "", /^HTTP [23]\d\d/, name)
        const statuses = article?.querySelectorAll(".refusals li").map((item) => item.querySelector("code")?.text) ?? []
        assert.deepStrictEqual(statuses, Object.keys(responses).filter((status) => Number(status) >= 400), name)
      }
    }))

  it.effect("names the scopes of an operation that needs several", () =>
    Effect.sync(() => {
      const [operation] = operationsOf(readDocument(document))
      assert(operation !== undefined)
      const security = [{ slotkey: ["BOOKING_READ", "APPS_READ"] }, { slotkey: ["PROFILE_READ"] }, {}]
      const page = parse(written(operationView(builtIn(), { ...operation, security }, {})))
      assert.strictEqual(
        page.querySelector("p.muted")?.text,
        "Credentials: slotkey with BOOKING_READ and APPS_READ or slotkey with PROFILE_READ or none."
      )
    }))

  it.effect("shows each member of a body where it is sent, and no empty body", () =>
    Effect.gen(function*() {
      const page = parse((yield* ask("/docs")).text)
      const model = readDocument(document)
      const withBody = operationsOf(model).filter(({ requestBody }) => requestBody !== undefined)
      assert.isAbove(withBody.length, 15)
      for (const { method, operationId, path, requestBody } of withBody) {
        const name = `${method} ${path}`
        const article = page.querySelectorAll("article.operation").find(({ id }) => id === operationId)
        const heading = article?.querySelectorAll("h4").find(({ text }) => text === "Body")
        const members = heading?.nextElementSibling?.nextElementSibling
        assert.strictEqual(members?.rawTagName, "dl", name)
        const shown = members?.childNodes.filter(({ rawTagName }) => rawTagName === "dt").map(({ text }) => text)
        assert.isNotEmpty(shown, name)
        for (const { schema } of Object.values(requestBody?.content ?? {})) {
          const shared = model.components.schemas[schema.$ref?.split("/").at(-1) ?? ""]
          assert.deepStrictEqual(shown, Object.keys((shared ?? schema).properties ?? {}), name)
        }
      }
    }))

  it.effect("names no two operations alike in its contents", () =>
    Effect.gen(function*() {
      const links = parse((yield* ask("/docs")).text).querySelectorAll("nav.contents li a").map(({ text }) => text)
      assert.isAbove(links.length, 40)
      assert.deepStrictEqual(links.filter((text, index) => links.indexOf(text) !== index), [])
    }))

  it.effect("asks each of two addresses for what it serves", () =>
    Effect.gen(function*() {
      const { text } = yield* ask("/docs")
      assert.include(text, "curl https://api.slotkey.test/v2/me")
      assert.include(text, "curl https://app.slotkey.test/connections")
    }))

  it.effect("leads only to places that it has, and to none of another host", () =>
    Effect.gen(function*() {
      const values = (text: string, attribute: RegExp) =>
        Array.from(text.matchAll(attribute), ([, value = ""]) => value)
      const pages = new Map<string, string>()
      for (const path of ["/docs", "/docs/scopes"]) pages.set(path, (yield* ask(path)).text)
      const places = new Map(Array.from(pages, ([path, text]) => [path, values(text, / id="(.*?)"/g)]))
      for (const [path, text] of pages) {
        assert.sameMembers([...new Set(places.get(path))], places.get(path) ?? [])
        for (const target of values(text, / (?:href|src)="(.*?)"/g)) {
          assert.match(target, /^[#/](?!\/)/)
          const [page = "", id] = target.split("#")
          if (id !== undefined) assert.include(places.get(page === "" ? path : page) ?? [], id, target)
        }
      }
    }))

  it.effect("has the header of the product and a way back, in the policy of all pages", () =>
    Effect.gen(function*() {
      const { response, text } = yield* ask("/docs")
      const document = parse(text)
      assert.strictEqual(document.querySelector("header.site .brand")?.getAttribute("href"), "/")
      assert.isNotNull(document.querySelector("header.site a[href='/settings/apps']"))
      assert.include(response.headers.get("content-security-policy"), "default-src 'none'; style-src 'self';")
    }))

  it.effect("has all examples in its document for programs, too", () =>
    Effect.gen(function*() {
      const { paths } = JSON.parse((yield* ask("/openapi.json")).text)
      for (const { method, name, operation: { requestBody }, path } of operations) {
        const { parameters, requestBody: body, responses } = paths[path][method]
        if (requestBody !== undefined) {
          for (const media of Object.values<object>(body.content)) assert.property(media, "example", name)
        }
        for (const parameter of parameters) if (parameter.required) assert.property(parameter, "example", name)
        for (const { content, headers } of Object.values<Record<string, Record<string, object>>>(responses)) {
          if (content?.["application/json"]) assert.property(content["application/json"], "example", name)
          if (headers?.["location"]) assert.property(headers["location"], "example", name)
        }
      }
    }))
})
