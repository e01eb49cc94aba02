import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { callOf, type PlainGuard, sendRefusal } from "slotkey/resource"

// The API of the CRM, as far as the example needs one. It knows who calls, and what is theirs; of tokens and scopes it
// knows nothing.

/** API that has each call checked by the guard, before it looks at it. */
export const guardedApi = (guard: PlainGuard): RequestListener => async (request, response) => {
  const verdict = await guard.check(callOf(request))
  if (!verdict.allowed) return sendRefusal(verdict, response)
  answer(request, response, verdict.caller?.userId ?? "")
}

/** API behind nginx.conf, which lets no call pass unchecked, and names the caller. Nothing else may reach it. */
export const apiBehindGateway: RequestListener = (request, response) => {
  const { "x-slotkey-user": userId = "" } = request.headers
  answer(request, response, decodeURIComponent(String(userId)))
}

/** Answers a call for a user; for nobody (`""`) where it is public. */
const answer = ({ method, url = "" }: IncomingMessage, response: ServerResponse, userId: string) => {
  const { pathname } = new URL(url, "http://localhost")
  const found = routes.map(([route, path, handle]) => ({ parts: path.exec(pathname), handle, route }))
    .find(({ parts, route }) => parts !== null && route === method)
  const body = found?.handle(userId, found.parts?.[1] ?? "")
  response.statusCode = body === undefined ? 404 : 200
  response.setHeader("content-type", "application/json").end(JSON.stringify(body ?? { error: "not found" }))
}

// Stand in for the tables of the CRM.
const contactsOf = (userId: string) => [{ id: "7", name: `Grace, whom ${userId} met` }]
export const workspaceOf = (userId: string) => `workspace-of-${userId}`

/** Handlers by method and path; one without an answer has not found what was asked for. */
const routes: ReadonlyArray<readonly [method: string, path: RegExp, handle: (userId: string, id: string) => unknown]> =
  [
    ["GET", /^\/api\/health$/, () => ({ up: true })],
    ["GET", /^\/api\/contacts$/, contactsOf],
    ["GET", /^\/api\/contacts\/(\w+)$/, (userId, id) => contactsOf(userId).find((contact) => contact.id === id)],
    ["DELETE", /^\/api\/contacts\/(\w+)$/, (_, id) => ({ deleted: id })],
    ["GET", /^\/api\/search$/, contactsOf],
    // A scope adds no right: of another workspace nothing is shown, whatever the token.
    [
      "GET",
      /^\/api\/workspaces\/([\w-]+)\/members$/,
      (userId, id) => id === workspaceOf(userId) ? [{ id: userId, role: "owner" }] : undefined
    ]
  ]
