import { start as startServer } from "slotkey/testing"

export const start = async () => {
  const slotkey = await startServer()
  const app = await slotkey.app({ scopes: ["BOOKING_READ", "PROFILE_READ"] })
  return {
    ...slotkey,
    metadata: `${slotkey.url}/.well-known/oauth-authorization-server`,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    authorize: (asking) => slotkey.authorize({ app, ...asking })
  }
}
