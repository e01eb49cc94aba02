import { Effect, Option } from "effect"
import { ClientRegistry } from "../../core/clients/life/ClientRegistry.ts"
import type { Client } from "../../core/clients/records/Client.ts"
import { AppReports } from "../../core/consent/AppReports.ts"
import type { BadRequest } from "../../domain/ApiError.ts"
import { alert, csrfField, titleWithErrors } from "../../foundation/web/FormFields.ts"
import { html } from "../../foundation/web/Html.ts"
import { failurePage, page } from "../../foundation/web/Layout.ts"
import { text } from "../../foundation/web/Message.ts"
import { readQuery } from "../../foundation/web/ReadForm.ts"
import { area } from "../../foundation/web/TextArea.ts"
import { appHead } from "../parts/AppHead.ts"
import { pageController } from "../session/PageRoutes.ts"
import type { Visitor } from "../session/PageSession.ts"
import { ownPath } from "../session/ReturnTo.ts"
import { reportPath } from "./AskingApp.ts"
import { connectionsPath } from "./ConnectionsAddress.ts"

/** Form in which a user tells reviewers of an app: from the question whether to allow it, and back to it. */
export const ReportPages = pageController(Effect.fnUntraced(function*({ get, post, pages }) {
  const clients = yield* ClientRegistry
  const reports = yield* AppReports

  // What nobody has approved asks no user, and could have any name.
  const find = Effect.fnUntraced(function*(id: string | undefined) {
    const client = yield* clients.find(id ?? "")
    return yield* Effect.fromOption(Option.filter(client, ({ status }) => status === "approved")).pipe(
      Effect.mapError(() => unknownPage)
    )
  })

  const show = ({ viewer }: Visitor, client: Client, returnTo: string, refused?: Refused) =>
    page({
      title: refused === undefined
        ? text("report.title", { app: client.name })
        : titleWithErrors(refused.problem.details?.length ?? 1, text("report.title", { app: client.name })),
      viewer,
      problem: refused?.problem,
      body: html`${appHead(client, html`<h1>${text("report.title", { app: client.name })}</h1>`)}
<p>${text("report.what")}</p>
${alert(refused?.problem)}
<form method="post" action="${reportPath}">
${csrfField(viewer)}
<input type="hidden" name="client_id" value="${client.id}">
<input type="hidden" name="return_to" value="${returnTo}">
${
        area(
          {
            name: "reason",
            label: text("report.reason"),
            hint: text("report.reason.hint"),
            rows: 4,
            value: refused?.reason ?? ""
          },
          refused?.problem.details ?? []
        )
      }
<p class="actions"><button>${text("report.send")}</button> <a href="${returnTo}">${text("report.back")}</a></p>
</form>`
    })

  const form = Effect.gen(function*() {
    const query = yield* readQuery
    const visitor = yield* pages.require
    return show(visitor, yield* find(query.get("client_id")), backIn(query.get("return_to")))
  })

  const send = Effect.gen(function*() {
    const { fields, visitor } = yield* pages.form
    const client = yield* find(fields.get("client_id"))
    const returnTo = backIn(fields.get("return_to"))
    const reason = fields.get("reason") ?? ""
    return yield* reports.report(visitor.account.id, client.id, reason).pipe(
      Effect.map(() =>
        page({
          title: text("report.sent"),
          viewer: visitor.viewer,
          body: html`<h1>${text("report.sent")}</h1>
<p>${text("report.sent.what")}</p>
<p><a href="${returnTo}" class="button">${text("report.back")}</a></p>`
        })
      ),
      Effect.catchTag("BadRequest", (problem) => Effect.succeed(show(visitor, client, returnTo, { problem, reason })))
    )
  })

  yield* get(reportPath, form)
  yield* post(reportPath, send)
}))

interface Refused {
  readonly problem: BadRequest
  readonly reason: string
}

const backIn = (path: string | undefined): string => path === undefined ? connectionsPath : ownPath(path)

const unknownPage = failurePage({
  status: 404,
  title: text("report.unknown"),
  what: text("report.unknown.what"),
  remedy: text("report.unknown.remedy"),
  next: { href: connectionsPath, label: text("flow.yourConnections") }
})
