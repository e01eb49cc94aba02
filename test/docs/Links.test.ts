import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")

/** Project's Markdown pages, as paths from its folder. */
const pages = globSync("**/*.md", { cwd: root, exclude: ["**/node_modules/**", "data/**"] }).sort()

const read = (page: string): string => readFileSync(join(root, page), "utf8")

const words: ReadonlyArray<string> = JSON.parse(read(".oxlintrc.json")).rules["house/comments"][1].words
  .map((word: string) => word.replaceAll(" ", "\\s+"))

const withoutCodeBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "")

/** Anchors that GitHub makes from a page's headings. */
const anchorsOf = (page: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ""] of withoutCodeBlocks(read(page)).matchAll(/^#{1,6} +(.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
    const anchor = text.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").trim().replaceAll(" ", "-")
    for (let again = 0;; again++) {
      const free = again === 0 ? anchor : `${anchor}-${again}`
      if (anchors.has(free)) continue
      anchors.add(free)
      break
    }
  }
  return anchors
}

/** The reason why a link is broken, or `undefined`. */
const problemWith = (page: string, link: string): string | undefined => {
  const [path = "", anchor] = link.split("#")
  const target = path === "" ? page : relative(root, resolve(root, dirname(page), decodeURI(path)))
  if (!existsSync(join(root, target))) return `${page}: ${link} is not there`
  if (anchor !== undefined && !anchorsOf(target).has(anchor)) return `${page}: ${link} has no such heading`
  return undefined
}

describe.each(pages)("%s", (page) => {
  const text = withoutCodeBlocks(read(page))

  it("links to files and headings that are there", () => {
    const links = [...text.replace(/`[^`\n]*`/g, "code").matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: +(\S+)/gm)]
      .map(([, inline, reference]) => inline ?? reference ?? "")
      .filter((link) => !/^[a-z]+:/.test(link))
    assert.deepStrictEqual(links.map((link) => problemWith(page, link)).filter((problem) => problem !== undefined), [])
  })

  it("names files of the project that are there", () => {
    const named = [
      ...text.matchAll(/`((?:src|workers|test|bench|faults|lint|docs)\/[\w./-]+|\.(?:ci|oxlintrc)[\w./]*)`/g)
    ]
      .map(([, path = ""]) => path)
    assert.deepStrictEqual(named.filter((path) => !existsSync(join(root, path))), [])
  })
})

// The specification was handed to the project, and the changelog says what was true once.
describe.each(pages.filter((page) => page !== "docs/specification.md" && page !== "CHANGELOG.md"))("%s", (page) => {
  it("has no word for which comments must have a plainer one", () => {
    const found = withoutCodeBlocks(read(page)).match(new RegExp(`\\b(?:${words.join("|")})\\b`, "gi"))
    assert.deepStrictEqual(found ?? [], [])
  })
})

describe.each(["docs/operations", "docs/decisions"])("%s/README.md", (folder) => {
  it("leads to each page of its folder", () => {
    const text = read(join(folder, "README.md"))
    const others = globSync("*.md", { cwd: join(root, folder) }).filter((page) => page !== "README.md")
    assert.isNotEmpty(others)
    assert.deepStrictEqual(others.filter((page) => !text.includes(`](${page})`)), [])
  })
})
