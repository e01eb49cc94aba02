interface Target {
  readonly url?: string | undefined
}

// The router ignores case, repeated slashes and an origin, and decodes escapes.

/** Tells a request for the API from one for a page, reading its target as the router does. */
export const isForApi = (request: Target): boolean => api.test(decodedPath(request))

/**
 * Tells whether programs read the answer: an answer of the API, its OpenAPI document, or a well-known address (RFC
 * 8615), which OpenID Connect appends to the path of an issuer.
 */
export const isForProgram = (request: Target): boolean => programs.test(decodedPath(request))

/** Tells whether the error of an answer is one of RFC 6749 §5.2. */
export const isForOAuth = (request: Target): boolean => oauth.test(decodedPath(request))

/** Tells whether a request is one for tokens, about tokens, or the check of an API call. */
export const isTokenRequest = (request: Target): boolean => tokenRequest.test(decodedPath(request))

const api = /^(https?:\/\/[^/]*)?\/+v2(?:[/?]|$)/i
const programs = /^(https?:\/\/[^/]*)?(?:\/+(v2|openapi\.json)|[^?]*\/\.well-known)(?:[/?]|$)/i
const oauth = /^(https?:\/\/[^/]*)?\/+v2\/+auth\/+oauth2\/+(token|revoke|introspect|register|usage)\b/i
const tokenRequest = /^(https?:\/\/[^/]*)?\/+v2\/+(auth\/+oauth2\/|me\b)/i

const decodedPath = ({ url = "" }: Target): string => {
  if (!url.includes("%")) return url
  const [path = ""] = url.split("?", 1)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
