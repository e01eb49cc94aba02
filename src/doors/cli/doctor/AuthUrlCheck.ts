import type { Settings } from "../../../foundation/config/AppConfig.ts"
import { failed, ok } from "../../../foundation/operator/Readiness.ts"
import { httpCheck } from "./HttpCheck.ts"

/** Asks for the sign-in page, as a browser does that an app has sent. */
export const authUrlCheck = ({ authUrl, signIn }: Pick<Settings, "authUrl" | "signIn">) =>
  httpCheck("auth-url", "failed", authUrl, async (signal) => {
    const response = await fetch(`${authUrl}/sign-in`, { redirect: "manual", signal })
    const page = await response.text()
    if (leadsElsewhere(signIn, response.status)) return ok(`${authUrl} sends browsers on to where users sign in.`)
    if (response.status !== 200) return failed(`${authUrl} answers ${response.status} in place of the sign-in page.`)
    const { pathname } = new URL(`${authUrl}/sign-in`)
    return page.includes(`action="${pathname}"`) || page.includes(`href="${pathname}?method=`)
      ? ok(`The sign-in page is at ${authUrl}.`)
      : failed(`At ${authUrl} something else answers.`)
  })

/**
 * Tells whether a server of these ways may answer so: by itself (303), or through the proxy in front, to a browser that
 * it does not know.
 */
const leadsElsewhere = (signIn: Settings["signIn"], status: number): boolean =>
  !signIn.has("local") && (status === 303 || signIn.has("proxy") && [302, 307, 401, 403].includes(status))
