import type { ServerExport } from "../ServerExport.ts"

/** A platform on Prisma: rows of its table of clients, such as `OAuthClient` or `PlatformOAuthClient`. */
export const prisma: ServerExport = {
  title: "a Prisma table",
  expected: "rows with clientId or id, clientSecret or secret, and redirectUri or redirectUris",
  rows: null,
  signs: [["clientId", "id"], ["redirectUri", "redirectUris"]],
  leavesOut: [],
  loses: [],
  lacks: "its refresh tokens, which the export leaves out",
  clientId: ["clientId", "id"],
  name: ["name", "clientId", "id"],
  owner: { address: ["ownerEmail", "user/email"], id: ["userId", "ownerId"] },
  texts: {
    purpose: ["purpose"],
    website: ["websiteUrl"],
    logo_url: ["logo"],
    created_at: ["createdAt"],
    reason: ["rejectionReason"]
  },
  redirectUris: { at: ["redirectUris", "redirectUri"] },
  kind: [{ at: "clientType", is: ["public"], kind: "public" }],
  status: [
    { at: "status", is: ["pending"], status: "pending" },
    { at: "status", is: ["rejected"], status: "rejected" },
    { at: "status", is: ["suspended", "disabled"], status: "suspended" }
  ],
  secrets: { at: ["clientSecret", "secret"], hex: "sha256-hex" },
  tokens: {
    token: ["refreshToken"],
    hex: "sha256-hex",
    user: { address: ["refreshTokenUser"], id: ["refreshTokenUserId"] },
    issuedAt: ["refreshTokenCreatedAt"],
    expiresAt: ["refreshTokenExpiresAt"],
    ended: { at: "refreshTokenRevokedAt", isThere: true },
    rotates: false
  }
}
