import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { basename } from "node:path"
import { parse } from "yaml"
import { project, read } from "./Dockerfile.ts"
import { expressions, panels, rules, selectors } from "./Rules.ts"

const hasPromtool = process.env["TEST_NO_SKIP"] === "1" || spawnSync("promtool", ["--version"]).status === 0
const promtool = (...args: ReadonlyArray<string>) => execFileSync("promtool", args, { cwd: project, stdio: "pipe" })

const alerts = rules.flatMap(({ alert, annotations }) => alert === undefined ? [] : [{ alert, annotations }])
const recorded = new Set(rules.flatMap(({ record }) => record ?? []))

describe("The rules of Prometheus", () => {
  it.skipIf(!hasPromtool)("are valid, and each alert fires when it should and not before", () => {
    promtool("check", "rules", "docs/operations/rules.yml")
    promtool("check", "config", "--syntax-only", "deploy/prometheus.yml")
    promtool("test", "rules", "test/deploy/rules.test.yml")
  })

  it("have a test for each alert", () => {
    const { tests } = parse(read("test/deploy/rules.test.yml"))
    const tested = tests.flatMap((
      test: { alert_rule_test: ReadonlyArray<{ alertname: string; exp_alerts?: unknown }> }
    ) => test.alert_rule_test.filter(({ exp_alerts }) => exp_alerts !== undefined).map(({ alertname }) => alertname))
    assert.sameMembers([...new Set(tested)], alerts.map(({ alert }) => alert))
  })

  it("have a page for each alert, which says what to do, and no page without an alert", () => {
    const pages = globSync("docs/operations/alerts/*.md", { cwd: project }).map((path) => basename(path, ".md"))
    assert.sameMembers(pages, alerts.map(({ alert }) => alert))
    for (const { alert, annotations } of alerts) {
      assert.strictEqual(annotations?.runbook, `docs/operations/alerts/${alert}.md`)
      const page = read(annotations?.runbook ?? "")
      assert.isTrue(page.startsWith(`# ${alert}\n`), alert)
      assert.match(page, /\n```(?:sh|sql)\n/, alert)
    }
  })

  it("and the dashboard name recorded series that exist, and the dashboard explains each panel", () => {
    const named = expressions.flatMap(selectors).map((selector) => selector.replace(/\{.*/, "")).filter((name) =>
      name.includes(":")
    )
    assert.deepStrictEqual(named.filter((name) => !recorded.has(name)), [])
    for (const { description = "", targets = [], title } of panels) {
      assert.isNotEmpty(description, title)
      assert.isNotEmpty(targets, title)
    }
  })
})
