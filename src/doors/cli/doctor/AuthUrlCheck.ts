import { Effect } from "effect"
import type { AppConfig } from "../../../foundation/config/AppConfig.ts"
import type { Check, Finding } from "../../../foundation/operator/Readiness.ts"
import { reasonOf } from "./BaseUrlCheck.ts"

/** Asks for the sign-in page, as a browser does that an app has sent. */
export const authUrlCheck = ({ authUrl }: Pick<AppConfig["Service"], "authUrl">): Check<"auth-url"> => ({
  name: "auth-url",
  otherwise: "failed",
  probe: Effect.tryPromise({
    try: async (signal): Promise<Finding> => {
      const response = await fetch(`${authUrl}/sign-in`, { redirect: "manual", signal })
      const page = await response.text()
      if (response.status !== 200) return failed(`${authUrl} answers ${response.status} in place of the sign-in page.`)
      return page.includes(`action="/sign-in"`)
        ? { status: "ok", detail: `The sign-in page is at ${authUrl}.` }
        : failed(`At ${authUrl} something else answers.`)
    },
    catch: (cause) => failed(`${authUrl} cannot be reached from here: ${reasonOf(cause)}`)
  }).pipe(Effect.catch(Effect.succeed))
})

const failed = (detail: string): Finding => ({ status: "failed", detail })
