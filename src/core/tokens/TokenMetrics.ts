import { Metric } from "effect"

const counter = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

export const graceReplays = counter(
  "slotkey_refresh_grace_replays_total",
  "Refresh tokens that were used again within the grace, and got the same answer again"
)

export const thefts = counter(
  "slotkey_refresh_thefts_total",
  "Refresh tokens that were used again after the grace, which ended their grants"
)

export const codeReplays = counter(
  "slotkey_code_replays_total",
  "Authorization codes that were used again, which ended the grants that they had opened"
)
