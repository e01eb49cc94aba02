import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { load } from "../../../src/domain/catalogue/EndpointPolicy.ts"

/** Operations as the references of other platforms write them. */
const platforms: Readonly<Record<string, ReadonlyArray<string>>> = {
  Calendly: [
    "GET /users/me",
    "GET /users/{uuid}",
    "GET /event_types",
    "GET /event_type_available_times",
    "GET /scheduled_events/{uuid}/invitees/{invitee_uuid}",
    "POST /scheduled_events/{uuid}/cancellation",
    "DELETE /webhook_subscriptions/{webhook_uuid}",
    "DELETE /organizations/{org_uuid}/invitations/{uuid}"
  ],
  "Google Calendar": [
    "GET /calendar/v3/users/me/calendarList",
    "POST /calendar/v3/users/me/calendarList/watch",
    "GET /calendar/v3/users/me/calendarList/{calendarId}",
    "POST /calendar/v3/calendars",
    "POST /calendar/v3/calendars/{calendarId}/clear",
    "GET /calendar/v3/calendars/{calendarId}/events/{eventId}",
    "POST /calendar/v3/calendars/{calendarId}/events/quickAdd",
    "POST /calendar/v3/calendars/{calendarId}/events/{eventId}/move",
    "POST /calendar/v3/freeBusy",
    "POST /calendar/v3/channels/stop"
  ],
  "Google People": [
    "GET /v1/people:batchGet",
    "GET /v1/people/{person}",
    "PATCH /v1/people/{person}:updateContact",
    "DELETE /v1/people/{person}:deleteContact",
    "POST /v1/contactGroups/{group}/members:modify"
  ],
  "Microsoft Graph": [
    "GET /v1.0/me/calendars/{calendar-id}/events/{event-id}",
    "GET /v1.0/me/calendarView",
    "GET /v1.0/me/calendarView/delta()",
    "POST /v1.0/me/findMeetingTimes",
    "GET /v1.0/users/$count",
    "GET /v1.0/users/{user_id}",
    "GET /v1.0/users/{user_id}/mailFolders/{mailFolder-id}/messages/delta()",
    "POST /v1.0/groups/{group-id}/members/$ref",
    "GET /v1.0/reports/getEmailActivityCounts(period='{period}')"
  ],
  Stripe: [
    "POST /v1/charges/{charge}/capture",
    "GET /v1/invoices/upcoming/lines",
    "GET /v1/invoices/{invoice}/lines"
  ],
  GitHub: [
    "GET /",
    "GET /repos/{owner}/{repo}",
    "GET /repos/{owner}/{repo}/contents/{path+}",
    "GET /repos/{owner}/{repo}/git/ref/{ref+}",
    "GET /repos/{owner}/{repo}/compare/{basehead}"
  ],
  Zendesk: ["GET /api/v2/tickets.json", "GET /api/v2/tickets/{id}.json", "GET /api/v2/tickets/{id}/audits.json"],
  Discord: [
    "GET /api/v{version}/users/@me",
    "GET /api/v{version}/users/@me/guilds",
    "GET /api/v{version}/users/{user_id}"
  ],
  Django: ["GET /api/contacts/", "POST /api/contacts/", "GET /api/contacts/{id}/", "POST /api/contacts/{id}/merge/"]
}

describe("the paths of other platforms", () => {
  it.each(Object.entries(platforms))("fit: %s", (_, operations) => {
    const list = operations.map((operation) => {
      const [method, path = ""] = operation.split(" ")
      return {
        method,
        path,
        access: "scope",
        scope: "BOOKING_READ",
        ...(/[A-Z](?![^{]*\})/.test(path) && { case: "exact" })
      }
    })
    const { find } = Result.getOrThrow(load(JSON.stringify(list)))
    for (const { method = "", path } of list) {
      const target = path.replaceAll(/\{[^}]*\+\}/g, "a/B/c.d").replaceAll(/\{[^}]*\}/g, "cm4x-8_Q")
      assert.deepInclude(find(method, `${target}?a=/..`), {
        requirement: { _tag: "Scope", scope: "BOOKING_READ" }
      }, target)
      assert.strictEqual(find(method, target).operation?.path, path)
      const other = path.endsWith("/") ? target.slice(0, -1) : `${target}/`
      assert.deepInclude(find(method, other).requirement, { _tag: "Closed" }, other)
      assert.strictEqual(find(method, `${target}/../x`).operation, undefined)
      const upper = target.toUpperCase()
      if (upper !== target) assert.strictEqual(find(method, upper).requirement._tag, "Closed", upper)
    }
  })
})
