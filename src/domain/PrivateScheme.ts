/**
 * Schemes that no app owns: a browser runs, opens or sends what follows them. The first are those of addresses on the
 * web, which have rules of their own.
 */
const reserved =
  /^(?:https?|about|blob|data|file|filesystem|ftp|intent|javascript|mailto|sms|tel|vbscript|view-source|wss?)$/

/**
 * Tells whether an app may have this scheme to itself (RFC 8252 §7.1), whether or not it is a domain name in reverse
 * order.
 */
export const isReserved = (scheme: string): boolean => reserved.test(scheme.toLowerCase())

/** Tells whether an operator may take a scheme that is no domain name, such as `cursor`. */
export const isShortScheme = (scheme: string): boolean => /^[a-z][a-z0-9+-]*$/.test(scheme) && !reserved.test(scheme)
