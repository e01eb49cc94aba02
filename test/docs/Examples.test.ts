import { assert, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

it.each(["express", "fastify", "hono"])(
  "docs/library.md shows the API of the examples in %s",
  (name) => assert.include(read("docs/library.md"), `\`\`\`ts\n${read(`examples/frameworks/src/${name}.ts`)}\`\`\``)
)

it("examples/README.md leads to each example", () => {
  const projects = globSync("examples/*/package.json", { cwd: root }).map((path) => path.split("/")[1])
  assert.isNotEmpty(projects)
  for (const project of projects) assert.include(read("examples/README.md"), `](${project}/README.md)`)
})
