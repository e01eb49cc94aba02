// Words between this server and the resource servers that report what rights calls use. The library loads them, and
// nothing of the endpoints.

/** Header by which a resource server says that it reports what its calls use. */
export const usageHeader = "slotkey-usage"
export const reported = "reported"

export const usagePath = "/v2/auth/oauth2/usage"
