import { Effect } from "effect"
import { failed, type Finding, ok, Readiness } from "../../foundation/operator/Readiness.ts"
import { Agreement, type Standing } from "./Agreement.ts"

/** Check that the node's own catalogue is the one in force, or the one announced. */
export const CatalogueCheck = Readiness.adding(
  Effect.map(Agreement, ({ standing }) => [
    { name: "catalogue" as const, probe: Effect.sync(() => findingOf(standing())), otherwise: "failed" as const }
  ])
)

const findingOf = ({ announced, inForce, own }: Standing): Finding => {
  if (inForce?.hash === own) {
    return ok(
      announced === undefined ? `${own} is in force.` : `${own} is in force, and ${announced.hash} is announced.`
    )
  }
  if (announced?.hash === own) return ok(`${own} is announced, and ${inForce?.hash} is in force.`)
  return failed(
    `This process has the catalogue ${own}, and ${inForce?.hash ?? "none"} is in force` +
      `${announced === undefined ? "" : `, ${announced.hash} announced`}.`,
    "Give it that file by CATALOGUE, or announce its own: slotkey catalogue apply (docs/catalogue.md)."
  )
}
