import { Effect, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Accounts } from "../../../src/core/accounts/local/Accounts.ts"
import type { Origin, ServerName } from "../../../src/core/legacy/import/from/Servers.ts"

// Exports as the documentation of each server has them, with apps of one owner and tokens of one user.

/** An export, what its operator says of it, and an app in it that works before and after. */
export interface Export {
  readonly text: string
  readonly origin: Origin
  readonly app: { readonly id: string; readonly secret: string; readonly redirectUri: string }
  /** A refresh token that the old server issued, where the export has them. */
  readonly refreshToken?: string
}

export const owner = "olga.owner@example.com"
export const user = "uma.user@example.com"

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8")

const redirectUri = "https://crm.example/callback"

export const exports: Readonly<Record<ServerName, Export>> = {
  hydra: {
    text: read("hydra.jsonl"),
    origin: { server: "hydra" },
    app: { id: "4f7a1f6e-0c7d-43bb-9d26-52e1c5f5a0c1", secret: "hydra-s3cret.of~the-crm", redirectUri }
  },
  keycloak: {
    text: read("keycloak.json"),
    origin: { server: "keycloak", owner },
    app: { id: "crm-web", secret: "Qw3rTy8UiOpAsDfGhJkLzXcVbNm12345", redirectUri }
  },
  doorkeeper: {
    text: read("doorkeeper.csv"),
    origin: { server: "doorkeeper", hex: "sha256-hex" },
    app: { id: "dk-crm-7Xr0aPqkD1uVvYtZ2w", secret: "doorkeeper-s3cret_of-the-crm", redirectUri },
    refreshToken: "doorkeeper-refresh-token-1"
  },
  django: {
    text: read("django.json"),
    origin: { server: "django" },
    app: { id: "Dj4ng0CrmXq2wErTyUiOpAsDfGhJkLzXcVbNmQw1", secret: "django-s3cret-of-the-crm", redirectUri },
    refreshToken: "djangoRefreshToken0123456789ab"
  },
  passport: {
    text: read("passport.json"),
    origin: { server: "passport" },
    app: { id: "3", secret: "passport-s3cret-of-the-crm-0123456789abc", redirectUri }
  },
  auth0: {
    text: read("auth0.json"),
    origin: { server: "auth0", owner },
    app: {
      id: "a0CrmXq2wErTyUiOpAsDfGhJkLzXcVbN",
      secret: "auth0-s3cret_of-the-crm-0123456789abcdefghijklmnopqrstuvwxyzABCD",
      redirectUri
    }
  },
  prisma: {
    text: read("prisma.csv"),
    origin: { server: "prisma" },
    app: { id: "pr1smaCrm0123456789abcdef", secret: "prisma-s3cret-of-the-crm", redirectUri }
  }
}

/** Owner and the user whom the exports name, with this password. */
export const people = (password: string) =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    const create = (email: string, name: string) =>
      Effect.orDie(accounts.create({ email, name, password: Redacted.make(password), role: "user" }))
    return { owner: yield* create(owner, "Olga Owner"), user: yield* create(user, "Uma User") }
  })
