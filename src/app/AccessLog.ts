import { Effect, Option } from "effect"
import type { IncomingMessage, Server } from "node:http"
import { AppConfig } from "../foundation/config/AppConfig.ts"
import { clientAddress } from "../foundation/http/ClientAddress.ts"
import { requestIdOf } from "../foundation/log/RequestId.ts"
import { answeredStatus, methodLabel, type RequestMetrics } from "../foundation/operator/RequestMetrics.ts"
import type { RouteTemplates } from "../foundation/operator/RouteTemplates.ts"

/**
 * Counts requests as `metrics` do and writes a line for each of them, if `ACCESS_LOG` is on; else these are the metrics
 * themselves, and requests cost nothing more. A line has the template of the route in place of the path, and no header
 * but the id of the request: what a caller sends may be a secret, in the wrong place even.
 */
export const around = Effect.fnUntraced(function*(metrics: RequestMetrics, templates: RouteTemplates) {
  const config = yield* AppConfig
  if (config.accessLog === "off") return metrics
  const run = Effect.runSyncWith(yield* Effect.context<never>())

  const record: RequestMetrics["record"] = (response, seconds, error) => {
    metrics.record(response, seconds, error)
    const { req: request } = response
    const status = answeredStatus(response)
    run(Effect.logInfo(status === 0 ? "A client hung up before its answer" : "A request was answered", {
      http_request_method: methodLabel(request.method),
      http_route: templates.of(request.url ?? ""),
      ...(status === 0 ? {} : { http_response_status_code: status }),
      ...(error === undefined ? {} : { error }),
      seconds: Number(seconds.toFixed(6)),
      address: clientAddress(config, callerOf(request)),
      request_id: requestIdOf(request)
    }))
  }
  return { ...metrics, record }
})

/** Reads each client's address when it connects: Node keeps an address that was read, even after the hang-up. */
export const keepAddresses = (server: Server): void => {
  server.on("connection", (socket) => void socket.remoteAddress)
}

const callerOf = ({ headers, socket }: IncomingMessage) => ({
  headers: { "x-forwarded-for": headers["x-forwarded-for"]?.toString() },
  peerAddress: Option.fromNullishOr(socket.remoteAddress)
})
