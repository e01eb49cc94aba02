import { DateTime, Effect, Option } from "effect"
import { IdentitySource } from "../../core/accounts/people/IdentitySource.ts"
import { TestInvitations } from "../../core/clients/testapps/TestInvitations.ts"
import { type ListWish, unusedAfter } from "../../core/consent/ConnectionList.ts"
import { type Connection, Connections } from "../../core/consent/Connections.ts"
import { missingOf } from "../../core/consent/LackingUsers.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { ClientId, GrantId } from "../../domain/Ids.ts"
import { AppConfig } from "../../foundation/config/AppConfig.ts"
import { html } from "../../foundation/web/Html.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { type Message, type PlainValues, text } from "../../foundation/web/Message.ts"
import { focused, notice, noticeOf } from "../../foundation/web/Notice.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { connectionPath } from "../parts/Paths.ts"
import { notFoundPage, pageController, pathId } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import {
  chosenIn,
  connectionsPath,
  disconnectPath,
  listPath,
  marksIn,
  unusedPath,
  wishIn
} from "./ConnectionsAddress.ts"
import { connectionsPage } from "./ConnectionsView.ts"
import { connectionPage } from "./ConnectionView.ts"
import { endAccessBody, endDeviceBody } from "./EndAccessView.ts"
import { moreAccessPage } from "./MoreAccessView.ts"
import { unusedAppsBody } from "./UnusedAppsView.ts"

/** Connected apps of a user: `/connections`. */
export const ConnectionsPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const { grantIdleLifetime } = yield* AppConfig
  const connections = yield* Connections
  const identities = yield* IdentitySource
  const invitations = yield* TestInvitations

  const listFor = Effect.fnUntraced(function*(visitor: Visitor, wish: ListWish, note = noticeOf(visitor.notice)) {
    const found = yield* connections.list(visitor.account.id, wish)
    const invited = yield* invitations.list(visitor.account)
    return connectionsPage({
      catalogue,
      visitor,
      wish,
      found,
      note,
      unusedAfter: unusedAfter(grantIdleLifetime),
      invitations: yield* Effect.forEach(
        invited,
        (one) => Effect.map(identities.find(one.ownerId), (owner) => ({ ...one, owner }))
      )
    })
  })

  const list = Effect.gen(function*() {
    const visitor = yield* pages.require
    return yield* listFor(visitor, wishIn(yield* readQuery))
  })

  const show = Effect.gen(function*() {
    const visitor = yield* pages.require
    const details = yield* connections.details(visitor.account.id, yield* pathId)
    if (Option.isNone(details)) return notConnected(visitor)
    const owner = yield* identities.find(details.value.connection.client.ownerId)
    return connectionPage({ ...details.value, catalogue, visitor, owner, idleLifetime: grantIdleLifetime })
  })

  const more = Effect.gen(function*() {
    const visitor = yield* pages.require
    const details = yield* connections.details(visitor.account.id, yield* pathId)
    if (Option.isNone(details)) return notConnected(visitor)
    const { connection: { client }, devices } = details.value
    return moreAccessPage({
      catalogue,
      visitor,
      client,
      missing: missingOf(catalogue, client, devices, yield* DateTime.now)
    })
  })

  const confirm = Effect.gen(function*() {
    const visitor = yield* pages.require
    const query = yield* readQuery
    const wish = wishIn(query)
    const { id } = visitor.account
    const asked = (body: ReturnType<typeof endAccessBody>) =>
      page({ title: text("connections.disconnectOne"), viewer: visitor.viewer, body })
    const device = query.get("grant")
    if (device !== undefined) {
      const details = yield* connections.details(id, query.get("client_id") ?? "")
      const found = Option.flatMapNullishOr(details, ({ devices }) => devices.find((one) => one.id === device))
      return Option.isSome(details) && Option.isSome(found)
        ? asked(endDeviceBody(visitor, details.value.connection, found.value))
        : seeOther(connectionsPath)
    }
    const chosen = query.has("all")
      ? (yield* connections.list(id, wish)).connections
      : yield* connections.find(id, chosenIn(query))
    if (chosen.length > 0) return asked(endAccessBody(visitor, chosen, wish))
    return chosenIn(query).length > 0
      ? seeOther(listPath(wish, { page: wish.page }))
      : yield* listFor(visitor, wish, noneChosen)
  })

  const disconnect = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const { id } = visitor.account
    const chosen = yield* connections.find(id, chosenIn(fields))
    const [first] = chosen
    const device = fields.get("grant")
    if (device !== undefined && first !== undefined) {
      const had = yield* connections.disconnectDevice(id, first.clientId, GrantId.make(device))
      const back = first.grants > 1 ? connectionPath(first.clientId) : connectionsPath
      return had
        ? yield* pages.redirect(visitor, back, text("connections.deviceEnded", { app: first.client.name }))
        : seeOther(back)
    }
    const ended = yield* connections.disconnect(id, ...chosen.map(({ clientId }) => clientId))
    const wish = wishIn(fields)
    const back = listPath(wish, { page: wish.page })
    const done = endedNotice(chosen.filter(({ clientId }) => ended.includes(clientId)))
    return done === undefined ? seeOther(back) : yield* pages.redirect(visitor, back, done)
  })

  const unused = Effect.gen(function*() {
    const visitor = yield* pages.require
    const found = yield* connections.unused(visitor.account.id)
    return page({
      title: text("connections.unused.title"),
      viewer: visitor.viewer,
      body: unusedAppsBody(visitor, found)
    })
  })

  // Ends what the page has shown and still is so: an app that was used meanwhile keeps its access.
  const endUnused = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const shown = marksIn(fields.get("apps") ?? "")
    if (shown.apps === 0) return seeOther(unusedPath)
    const ended = yield* connections.endUnused(visitor.account.id, shown.has)
    return yield* pages.redirect(
      visitor,
      connectionsPath,
      text("connections.unused.ended", { apps: ended.length, kept: Math.max(0, shown.apps - ended.length) })
    )
  })

  const shorten = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const clientId = ClientId.make(yield* pathId)
    const end = fields.get("end")
    const back = connectionPath(clientId)
    if (end !== "day" && end !== "month") return seeOther(back)
    return (yield* connections.shorten(visitor.account.id, clientId, end))
      ? yield* pages.redirect(visitor, back, text("connection.shortened"))
      : seeOther(back)
  })

  yield* get(connectionsPath, list)
  yield* get(`${connectionsPath}/apps/:id`, show)
  yield* get(`${connectionsPath}/apps/:id/more`, more)
  yield* post(`${connectionsPath}/apps/:id/end`, shorten)
  yield* get(disconnectPath, confirm)
  yield* post(disconnectPath, disconnect)
  yield* get(unusedPath, unused)
  yield* post(unusedPath, endUnused)
}))

const noneChosen = notice(
  "note",
  html`<p>${text("connections.noneChosen")}</p>`,
  html` role="status"${focused}`
)

const notConnected = notFoundPage({
  what: text("connection.gone"),
  remedy: text("connection.gone.remedy"),
  next: { href: connectionsPath, label: text("connection.gone.next") }
})

/** Names two of the apps whose access has ended, and counts the others. */
const endedNotice = ([first, second, ...others]: ReadonlyArray<Connection>): Message<PlainValues> | undefined =>
  first === undefined
    ? undefined
    : second === undefined
    ? text("connections.ended", { first: first.client.name })
    : text("connections.ended.many", {
      first: first.client.name,
      second: second.client.name,
      others: others.length
    })
