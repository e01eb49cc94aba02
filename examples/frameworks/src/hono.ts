import { Hono } from "hono"
import { callOf, type PlainGuard, type Principal, refusalResponse } from "slotkey/resource"

export const honoApp = (guard: PlainGuard) => {
  const app = new Hono<{ Variables: { caller: Principal | undefined } }>()
  app.use(async (context, next) => {
    const verdict = await guard.check(callOf(context.req.raw))
    if (!verdict.allowed) return refusalResponse(verdict)
    context.set("caller", verdict.caller)
    return next()
  })
  app.get("/v2/bookings", (context) => context.json({ of: context.get("caller")?.userId }))
  return app
}
