import type { AppConfig } from "../config/AppConfig.ts"

/**
 * Headers of every response, for browsers: no guessing of types, no referrer, no frames, and HTTPS only (RFC 6797)
 * where the web application has it.
 */
export const securityHeaders = (
  { authUrl }: Pick<AppConfig["Service"], "authUrl">
): Readonly<Record<string, string>> => ({
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  ...(authUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {})
})
