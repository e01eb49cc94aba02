import { mock } from "node:test"
import { Events, OAuth2Server } from "oauth2-mock-server"
import { makeApp } from "./app.mjs"

export const start = async () => {
  const server = new OAuth2Server()
  await server.issuer.keys.generate("ES256")
  await server.start(0, "127.0.0.1")

  // It gives every token the scope `dummy`, unless the token request names others.
  const scopes = new Map()
  const scopeOf = ({ body }) => scopes.get(body.code ?? body.refresh_token)
  server.service.on(Events.BeforeAuthorizeRedirect, ({ url }, { query }) => {
    scopes.set(url.searchParams.get("code"), query.scope)
  })
  server.service.on(Events.BeforeTokenSigning, ({ payload }, request) => {
    payload.scope = scopeOf(request)
  })
  server.service.on(Events.BeforeResponse, ({ body }, request) => {
    body.scope = scopeOf(request)
    scopes.set(body.refresh_token, body.scope)
  })

  const metadata = `${server.issuer.url}/.well-known/openid-configuration`
  const [clientId, clientSecret] = ["app", "the secret of the app"]
  const app = await makeApp({ metadata, clientId, clientSecret })
  return {
    ...app,
    metadata,
    clientId,
    clientSecret,
    authorize: async ({ scopes }) => {
      const begun = app.begin(scopes)
      const response = await fetch(begun.url, { redirect: "manual" })
      return app.end(begun, response.headers.get("location"))
    },
    /** What a test can do instead: it answers for the server. */
    pretendRevoked: () => {
      server.service.once(Events.BeforeIntrospect, (response) => {
        response.body = { active: false }
      })
    },
    advance: (milliseconds) => {
      mock.timers.enable({ apis: ["Date"], now: Date.now() + milliseconds })
    },
    stop: async () => {
      mock.timers.reset()
      await server.stop()
    }
  }
}
