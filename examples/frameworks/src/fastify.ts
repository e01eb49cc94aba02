import fastify from "fastify"
import { callOf, type PlainGuard, type Principal, refusalResponse } from "slotkey/resource"

declare module "fastify" {
  interface FastifyRequest {
    caller: Principal | undefined
  }
}

export const fastifyApp = (guard: PlainGuard) => {
  const app = fastify()
  app.decorateRequest("caller", undefined)
  app.addHook("onRequest", async (request, reply) => {
    const verdict = await guard.check(callOf(request.raw))
    if (!verdict.allowed) return reply.send(refusalResponse(verdict))
    request.caller = verdict.caller
  })
  app.get("/v2/bookings", async ({ caller }) => ({ of: caller?.userId }))
  return app
}
