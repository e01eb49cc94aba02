import { callOf, makeGuard, type Principal, refusalResponse } from "../../../../src/resource.ts"

const guard = await makeGuard({
  baseUrl: process.env["SLOTKEY_URL"] ?? "https://api.example.com",
  credential: process.env["SLOTKEY_CREDENTIAL"] ?? ""
})

/** A route handler behind the guard. */
const guarded =
  (handler: (request: Request, caller: Principal | undefined) => Response | Promise<Response>) =>
  async (request: Request): Promise<Response> => {
    const verdict = await guard.check(callOf(request))
    return verdict.allowed ? handler(request, verdict.caller) : refusalResponse(verdict)
  }

export const GET = guarded((_request, caller) => Response.json({ of: caller?.userId }))
