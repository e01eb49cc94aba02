import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"

/** A request as a page of the docs shows it, and what the page says of the answer. */
export interface HttpBlock {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string
  readonly status: number
  readonly expected: { readonly headers: HttpBlock["headers"]; readonly body: string }
}

/** Blocks of requests and answers in a page of the docs, in their order. */
export const httpBlocks = (page: string): ReadonlyArray<HttpBlock> =>
  [...textOf(page).matchAll(/\n```http\n([^]*?)\n```/g)].map(([, text = ""]) => parse(text))

/** First block of this language in a page of the docs. */
export const jsonBlock = (page: string): string => /\n```json\n([^]*?)\n```/.exec(textOf(page))?.[1] ?? ""

const textOf = (page: string) => readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8")

const parse = (text: string): HttpBlock => {
  const [, asked = "", status, answered = ""] = /^([^]*?)\n\nHTTP\/1\.1 (\d+)\n?([^]*)$/.exec(text) ?? assert.fail(text)
  const [first = "", ...rest] = asked.replaceAll(/\n +/g, "").split("\n")
  const [method = "", url = ""] = first.split(" ")
  return { method, url, ...message(rest.join("\n")), status: Number(status), expected: message(answered) }
}

const message = (text: string) => {
  const [head = "", ...body] = `\n${text}`.split("\n\n")
  const headers = head.trim() === "" ? [] : head.trim().split("\n").map((line) => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
  })
  return { headers, body: body.join("\n\n") }
}

/**
 * Sends the request of a block and compares the answer: what the page says must be there. `known` holds values by the
 * names in braces; those that the answer has are added. `places` are the addresses of the page and those of the test.
 */
export const run = (block: HttpBlock, known: Map<string, string>, places: ReadonlyMap<string, string>) =>
  Effect.promise(async () => {
    const placed = (text: string) =>
      [...places].reduce(
        (text, [from, to]) => text.replaceAll(from, to).replaceAll(encodeURIComponent(from), encodeURIComponent(to)),
        text
      )
    const filled = (text: string) => placed(text).replaceAll(/\{(\w+)\}/g, (all, name) => known.get(name) ?? all)
    const isForm = block.headers.some(([, value]) => value === "application/x-www-form-urlencoded")
    const response = await fetch(filled(block.url), {
      method: block.method,
      headers: block.headers.map(([name, value]): [string, string] => [name, filled(value)]),
      redirect: "manual",
      ...block.body === "" ? {} : { body: filled(isForm ? block.body.replaceAll("\n", "") : block.body) }
    })
    const text = await response.text()
    const where = `${block.method} ${block.url}: ${text}`
    const compare = (actual: string, expected: string) => {
      const names: Array<string> = []
      const pattern = placed(expected).split(/(…|\{\w+\})/).map((part, index) => {
        if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
        if (part === "…") return "[^]*"
        names.push(part.slice(1, -1))
        return "([^]*)"
      }).join("")
      const found = new RegExp(`^${pattern}$`).exec(actual) ?? assert.fail(`${where}\n${actual} is not ${expected}`)
      names.forEach((name, index) => known.set(name, found[index + 1] ?? ""))
    }
    const compareAll = (actual: unknown, expected: unknown): void => {
      if (typeof expected === "string") return compare(String(actual), expected)
      if (typeof expected !== "object" || expected === null) return assert.strictEqual(actual, expected, where)
      if (Array.isArray(expected)) assert.lengthOf(Array.isArray(actual) ? actual : [], expected.length, where)
      for (const [key, value] of Object.entries(expected)) compareAll(Object(actual)[key], value)
    }

    assert.strictEqual(response.status, block.status, where)
    for (const [name, value] of block.expected.headers) compare(response.headers.get(name) ?? "", value)
    const { body } = block.expected
    if (body === "") return
    if (!body.startsWith("{")) return compare(text, body)
    // A name outside of quotes stands for a number.
    compareAll(JSON.parse(text), JSON.parse(body.replaceAll(/(?<!")(\{\w+\})(?!")/g, "\"$1\"")))
  })
