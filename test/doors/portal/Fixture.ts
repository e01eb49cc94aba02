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

/** Secret on a page. */
export const secretIn = (text: string) => /slk_secret_[A-Za-z0-9]+/.exec(text)?.[0]
