/**
 * What is wrong with a field, by the code of the rule that it breaks: in English, for programs, as it goes on from the
 * name of the field. Pages have the message `fault.<code>` for each (docs/decisions/languages.md).
 */
export const sentences = {
  required: "is required",

  // Texts and names
  unicode: "must be well-formed Unicode",
  control: "must not contain control characters: {character}",
  controlAfter: "must not contain control characters: {character} after “{before}”",
  invisible: "must not contain invisible characters: {character}",
  invisibleAfter: "must not contain invisible characters: {character} after “{before}”",
  length: "must have {least} to {most} characters",
  tooLong: "must have at most {most} characters",
  lines: "must be one line",

  // Web addresses
  webAddress: "must be an absolute http or https address",
  secureAddress: "must be an https address",
  credentials: "must not carry credentials",
  host: "must name a host",

  // Accounts
  email: "must look like {example}",
  emailOfAnother: "belongs to another account",
  emailUnchanged: "is the address that the account has",
  emailMoved: "is for an account whose address has changed meanwhile",
  username: "must have 1 to {most} letters, digits, dots, hyphens or underscores",
  taken: "is taken",
  timeZone: "is not known; write it as in {example}",
  language: "must be a language tag such as {example}",
  guessable: "is easy to guess; a few words that nobody else would put together are not",
  repeated: "does not match the one above",
  wrong: "is wrong",
  wrongTooOften: "was wrong too often; wait {minutes} minutes",
  dateMissing: "is missing: choose a date",
  endMissing: "is missing: the account has its role from a claim of its provider",
  endPassed: "must be in the future",
  endTooLate: "is too late",

  // Apps
  testName: "must not begin with “Test:”, by which users know test apps",
  grace: "must be short for a public app",
  addresses: "must have at least one address",
  tooManyAddresses: "must have at most {most} addresses",
  addressTwice: "repeats an earlier address",
  privateScheme: "a private-use scheme is for public clients alone",
  scopes: "must name at least one scope",
  scope: "is not a scope of the catalogue",
  scopesTooLong: "must take at most {most} characters together, as tokens with them travel in headers",
  optionalElsewhere: "must not name {scope}: it is not among the scopes of the app",
  optionalIncluded: "must not name {scope}: {covering}, which is required, includes it",
  noneRequired: "must leave at least one scope required",
  leftOutElsewhere: "must not name {scope}: it is not among the scopes that this approval would give",
  leftOutIncluded: "must not name {scope}: {covering}, which would stay, includes it",
  leftOutAll: "must leave a scope that users have to give",
  leftOutChange: "must leave something of the change: reject it instead",
  contact: "must be an email address or an https address",
  baseElsewhere: "must not name {scope}: it is not among the scopes of the resource",
  scopeRetired: "must not name {scope}, retired since {since}",
  scopeReplaced: "must not name {scope}, retired since {since}: use {successors} instead",

  // Resources
  resourceIdentifier:
    "must be an https address without a query, a fragment (#) and credentials; http is for loopback alone",
  resourceIsApi: "is the address of the API itself, which is always a resource",

  // Redirect addresses
  empty: "must not be empty",
  addressTooLong: "must have at most 2,048 characters",
  spaces: "must not contain spaces or control characters",
  ascii: "must have characters beyond ASCII percent-encoded",
  asciiHost: "must have its host in ASCII: {host}",
  fragment: "must not have a fragment (#)",
  backslash: "must not contain a backslash",
  absolute: "must be absolute, such as {example}",
  userInformation: "must not carry a user name or password (@)",
  severalAddresses: "must be one address: each of several is an entry of its own",
  placeholder: "must not have a placeholder ({placeholder}): each address is an entry of its own",
  wildcard: "must not have a wildcard (*): each address is an entry of its own",
  wildcardPort: "must not have a wildcard (*): leave the port out, since any port of loopback is taken",
  schemeCase: "must have its scheme in lower case: addresses are compared character by character",
  slashes: "must have two slashes and a host after its scheme, as in {example}",
  secureRedirect: "must be https; http is for loopback alone: 127.0.0.1, [::1] or localhost",
  redirectHost: "must name a host, such as {example}",
  hostCharacters: "must have a host of letters, digits, dots, hyphens and underscores",
  portMissing: "must have no colon after its host, or a port after the colon",
  port: "must have a port from 0 to 65535",
  ipAddress: "must have an IP address that exists as its host: four numbers up to 255, or IPv6 in brackets",
  reservedScheme: "must not begin with {scheme}: which is no app's own scheme",
  urn: "must be an address: use http on loopback instead of a urn for codes that are typed in",
  schemeWithoutDot:
    "must be https, http on loopback, or a private-use scheme with a dot, such as {example}: any program can claim {scheme}. VS Code has {vscode} for it, and Raycast {raycast}",
  schemeNotTaken:
    "must be https, http on loopback, or a private-use scheme with a dot, such as {example}, or one that this server takes ({taken}): any program can claim {scheme}. VS Code has {vscode} for it, and Raycast {raycast}",
  reverseDomain: "must have a domain name in reverse order as its scheme",
  schemeAlone: "must have a path after the scheme",
  schemeAuthority: "must have a valid host and port after the scheme, or none",
  encoding: "must have characters such as { < [ \" and a lone % percent-encoded",
  responseParameter: "must not have {parameter} in its query: the response carries it",

  // Endpoints for events
  endpointForm: "must be an https address such as {example}, without credentials and without a fragment (#)",
  endpointPort: "must be an https address without a port",

  // Logos
  logoNotShown: "must stay empty: this server shows no logos",
  logoPort: "must be at an https address without a port",
  logoNotPublic: "cannot be fetched: {host} is not on the public internet",
  logoStatus: "cannot be fetched: {host} answers with status {status}",
  logoUnanswered: "cannot be fetched: {host} does not answer over https with a valid certificate",
  logoSlow: "cannot be fetched within {seconds} seconds",
  logoRedirects: "is behind more than {most} redirects",
  logoTooLarge: "is larger than {most} MB",
  documentsOff: "is not read here: this server takes registered apps alone",
  documentAddress:
    "must be at an https address of at most {most} characters, at the name of a host, without port, credentials, " +
    "query, fragment and dots for folders, written as browsers write it",
  documentNotPublic: "cannot be read: {host} is not on the public internet",
  documentUnanswered: "cannot be read: {host} does not answer over https with a valid certificate",
  documentSlow: "cannot be read: {host} does not answer within {seconds} seconds",
  documentRedirects: "cannot be read: {host} answers with a redirect, which is not followed",
  documentStatus: "cannot be read: {host} answers with status {status}",
  documentTooLarge: "is larger than {most} kB",
  documentType: "must come with the content type application/json",
  documentJson: "must be one JSON object in UTF-8",
  documentOther: "must be the address of the document, character by character",
  documentField: "must have the form that RFC 7591 gives it",
  documentSecret: "must not be there: anybody can read the document, so that nothing in it is a secret",
  documentMethod: "must be none or absent: such apps prove themselves by PKCE here",
  documentGrant: "must name authorization_code",
  logoForm: "must be a PNG, JPEG or WebP picture of at most {most} million pixels"
} as const
