/** Fields of an app's form, filled in. */
export const filled = {
  kind: "confidential",
  name: "Calendar Sync",
  purpose: "Keeps two calendars in step.",
  website: "https://app.example",
  redirectUris: "https://app.example/callback\r\n\r\n http://localhost:3000/callback \r\n",
  "scope:BOOKING_READ": "on",
  "scope:PROFILE_READ": "on"
}

/** Draft of the tests that look at pages of the registration: each owner has one of this id. */
export const draft = "0b6f0e0e-7b1c-4c59-8f0e-6d4a6f6a3c11"

/** Pages of the registration, with that draft. */
export const registration = {
  what: `/settings/apps/new?draft=${draft}`,
  where: `/settings/apps/new/addresses?draft=${draft}`,
  may: `/settings/apps/new/scopes?draft=${draft}`
}

/** Secret on a page. */
export const secretIn = (text: string) => /slk_secret_[A-Za-z0-9]+/.exec(text)?.[0]
