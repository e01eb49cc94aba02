import { Effect, Option } from "effect"
import { Connections } from "../../core/consent/Connections.ts"
import { Catalogue } from "../../domain/catalogue/Catalogue.ts"
import { ClientId } from "../../domain/Ids.ts"
import { page, seeOther } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { pageIn } from "../../foundation/web/Pager.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { pageController } from "../session/PageRoutes.ts"
import { connectionsPage, connectionsPath, disconnectBody, disconnectPath } from "./ConnectionsView.ts"

/** Connected apps of a user: `/connections`. */
export const ConnectionsPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const catalogue = yield* Catalogue
  const connections = yield* Connections

  const show = Effect.gen(function*() {
    const visitor = yield* pages.require
    return connectionsPage(catalogue, visitor, yield* connections.list(visitor.account.id, pageIn(yield* readQuery)))
  })

  const confirmDisconnect = Effect.gen(function*() {
    const visitor = yield* pages.require
    const clientId = (yield* readQuery).get("client_id") ?? ""
    return Option.match(yield* connections.find(visitor.account.id, clientId), {
      onNone: () => seeOther(connectionsPath),
      onSome: (connection) =>
        page({
          title: text("connections.disconnectOne"),
          viewer: visitor.viewer,
          body: disconnectBody(visitor, connection)
        })
    })
  })

  const disconnect = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const clientId = fields.get("client_id")
    const had = clientId !== undefined &&
      (yield* connections.disconnect(visitor.account.id, ClientId.make(clientId)))
    return had
      ? yield* pages.redirect(visitor, connectionsPath, text("connections.disconnected"))
      : seeOther(connectionsPath)
  })

  yield* get(connectionsPath, show)
  yield* get(disconnectPath, confirmDisconnect)
  yield* post(disconnectPath, disconnect)
}))
