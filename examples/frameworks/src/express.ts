import express, { type Response } from "express"
import { callOf, type PlainGuard, type Principal, sendRefusal } from "slotkey/resource"

/** The handlers' responses know who calls; for a public call nobody may. */
type Guarded = Response<unknown, { caller?: Principal }>

export const expressApp = (guard: PlainGuard) => {
  const app = express()
  app.use(async (request, response: Guarded, next) => {
    const verdict = await guard.check(callOf(request))
    if (!verdict.allowed) return sendRefusal(verdict, response)
    if (verdict.caller !== undefined) response.locals.caller = verdict.caller
    next()
  })
  app.get("/v2/bookings", (_request, response: Guarded) => {
    response.json({ of: response.locals.caller?.userId })
  })
  return app
}
