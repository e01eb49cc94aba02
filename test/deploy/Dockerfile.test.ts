import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import packageJson from "../../package.json" with { type: "json" }
import { command, environment, healthCommand, instructions, ofImage, project, read, stages } from "./Dockerfile.ts"

describe("The Dockerfile", () => {
  it("builds in two stages on one base, fixed by tag and digest, with the Node of the tests", () => {
    assert.strictEqual(stages.length, 2)
    for (const { text } of instructions.filter(({ name }) => name === "FROM")) {
      assert.match(text, /^node:[\d.]+-bookworm-slim@sha256:[0-9a-f]{64}(?: AS \w+)?$/)
      assert.strictEqual(/^node:([\d.]+)-/.exec(text)?.[1], packageJson.devDependencies.node)
    }
  })

  it("copies files that are there, and that .dockerignore lets through", () => {
    const [everything, ...admitted] = read(".dockerignore").trim().split("\n")
    assert.strictEqual(everything, "*")
    const copied = instructions.filter(({ name, text }) => name === "COPY" && !text.startsWith("--from="))
      .flatMap(({ text }) => text.split(" ").slice(0, -1))
    assert.sameMembers([...new Set(copied)], admitted.map((line) => line.slice(1)))
    assert.deepStrictEqual(copied.filter((path) => !existsSync(`${project}${path}`)), [])
    // What the command slotkey leads to.
    assert.match(read("src/bin.cjs"), /^#!\/usr\/bin\/env node\n/)
  })

  it("runs as a user without rights, whose only folder is the volume of DATA_DIR", () => {
    assert.deepStrictEqual(ofImage("USER"), ["1000:1000"])
    assert.deepStrictEqual(ofImage("VOLUME"), [environment["DATA_DIR"] ?? ""])
    assert.strictEqual(environment["NODE_ENV"], "production")
    const [last] = (stages.at(-1) ?? []).filter(({ name }) => name === "RUN" || name === "USER").slice(-1)
    assert.strictEqual(last?.name, "USER")
  })

  it("starts the server as `npm start` does, without a shell between", () => {
    const compiled = packageJson.scripts.start.replace("./src/start.cjs", "./dist/start.cjs").replace(
      "src/main.ts",
      "dist/main.js"
    )
    assert.deepStrictEqual(command, compiled.split(" "))
    assert.deepStrictEqual(ofImage("STOPSIGNAL"), ["SIGTERM"])
  })

  it("asks the operator's port for health, the same for each process", () => {
    assert.include(healthCommand.at(-1), `http://127.0.0.1:${environment["OPERATOR_PORT"]}/healthz`)
    assert.strictEqual(environment["WORKER_PORT"], environment["OPERATOR_PORT"])
    assert.deepStrictEqual(ofImage("EXPOSE"), [`3000 ${environment["OPERATOR_PORT"]}`])
  })
})
