import { spawnSync } from "node:child_process"

const runs = (program: string, ...args: ReadonlyArray<string>): boolean => spawnSync(program, args).status === 0

/** True if the tools below can run here, or must (`TEST_NO_SKIP`): then they fail where they are not installed. */
export const areAvailable = process.env["TEST_NO_SKIP"] === "1" ||
  (runs("promtool", "--version") && runs("/usr/bin/python3", "-c", "import prometheus_client"))

/** All that Prometheus' own tool finds wrong in a text of metrics. */
export const promtoolComplaints = (text: string): string => complaints("promtool", ["check", "metrics"], text)

/** All that the reference parser of OpenMetrics finds wrong. */
export const openMetricsComplaints = (text: string): string => complaints("/usr/bin/python3", ["-c", parse], text)

const complaints = (program: string, args: ReadonlyArray<string>, input: string): string => {
  const { error, status, stderr, stdout } = spawnSync(program, args, { input, encoding: "utf8" })
  if (error !== undefined) throw error
  return status === 0 ? "" : `${stdout}${stderr}`
}

const parse = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
list(text_string_to_metric_families(sys.stdin.read()))
`
