import { betterAuth } from "better-auth"
import { genericOAuth } from "better-auth/plugins"

export const auth = betterAuth({
  plugins: [
    genericOAuth({
      config: [{
        providerId: "slotkey",
        discoveryUrl: "{{metadata}}",
        clientId: "{{clientId}}",
        clientSecret: process.env.CLIENT_SECRET,
        scopes: "{{scope}}".split(" ")
      }]
    })
  ]
})
