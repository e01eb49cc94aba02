/** Part of passport-oauth2 that a journey uses; its own types would bring those of Express. */
declare module "passport-oauth2" {
  interface Options {
    readonly authorizationURL: string
    readonly tokenURL: string
    readonly clientID: string
    readonly clientSecret: string
    readonly callbackURL: string
    readonly scope: string
    readonly state: boolean
    readonly pkce: boolean
  }
  type Done = (error: unknown, value?: unknown) => void
  interface Request {
    readonly query: Readonly<Record<string, string>>
    readonly session: Record<string, unknown>
  }
  class Strategy {
    constructor(
      options: Options,
      verify: (accessToken: string, refreshToken: string, profile: unknown, done: Done) => void
    )
    authenticate(request: Request): void
    userProfile(accessToken: string, done: Done): void
    redirect: (url: string) => void
    success: (user: unknown) => void
    fail: (challenge: unknown) => void
    error: (error: unknown) => void
    readonly _oauth2: {
      useAuthorizationHeaderforGET(use: boolean): void
      get(url: string, accessToken: string, done: (error: unknown, body?: string | Buffer) => void): void
    }
  }
  export = Strategy
  namespace Strategy {}
}
