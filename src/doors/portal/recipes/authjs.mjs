// For `providers` of next-auth, @auth/express, @auth/sveltekit and the others.
export const slotkey = {
  id: "slotkey",
  name: "Slotkey",
  type: "oauth",
  issuer: "{{issuer}}",
  clientId: "{{clientId}}",
  clientSecret: process.env.CLIENT_SECRET,
  authorization: { params: { scope: "{{scope}}" } },
  token: "{{tokenEndpoint}}",
  userinfo: "{{userinfoEndpoint}}",
  checks: ["pkce", "state"],
  profile: (claims) => ({ id: claims.sub, name: claims.name, email: claims.email })
}
