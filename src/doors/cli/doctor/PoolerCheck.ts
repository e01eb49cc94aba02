import { Effect } from "effect"
import type { DatabaseServer } from "../../../foundation/config/AppConfig.ts"
import { ask } from "../../../foundation/database/hosts/HostState.ts"
import { type Check, failed, ok } from "../../../foundation/operator/Readiness.ts"

/** Asks the database through the pooler, as servers do; commands and workers go round it. */
export const poolerCheck = ({ address }: DatabaseServer): Check<"pooler"> => ({
  name: "pooler",
  otherwise: "failed",
  probe: Effect.map(
    Effect.forEach(
      address,
      (host) => Effect.map(ask(host), ({ _tag }) => ({ name: host.name, _tag })),
      { concurrency: "unbounded" }
    ),
    (hosts) => {
      const bad = hosts.filter(({ _tag }) => _tag !== "Writable" && _tag !== "Readable")
      return bad.length === 0
        ? ok("The database answers through the pooler.")
        : failed(`${bad.map(({ _tag, name }) => `${name} ${says[_tag]}`).join(", ")}.`)
    }
  )
})

const says = {
  Away: "refuses us, or nothing listens there",
  Full: "has no connection left",
  Silent: "does not answer",
  Readable: "is read-only",
  Writable: "answers"
}
