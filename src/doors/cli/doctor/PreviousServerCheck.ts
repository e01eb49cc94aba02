import { DateTime, Effect, Option } from "effect"
import { endedText, introspection } from "../../../core/legacy/introspection/PreviousServer.ts"
import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { type Check, degraded, ok } from "../../../foundation/operator/Readiness.ts"

/** Asks the previous server about a token that it cannot have given to anybody, with the credential of the settings. */
export const previousServerCheck = (config: Settings): Option.Option<Check<"previous-server">> =>
  Option.map(
    Option.all({ introspect: introspection(config), until: config.legacyIntrospectionUntil }),
    ({ introspect, until }) => ({
      name: "previous-server",
      otherwise: "degraded",
      probe: Effect.flatMap(DateTime.now, (now) =>
        DateTime.isLessThanOrEqualTo(until, now)
          ? Effect.succeed(ok(`${endedText}.`))
          : Effect.match(introspect(madeUp), {
            onFailure: ({ reason }) => degraded(`The previous server ${reason}.`),
            onSuccess: ({ active }) =>
              active
                ? degraded("The previous server says of a made-up token that it is active.")
                : ok(`The previous server answers, until ${DateTime.formatIso(until)}.`)
          }))
    })
  )

const madeUp = "made-up-by-slotkey-doctor"
