import { makeGuard } from "../../../../src/resource.ts"

export const guard = await makeGuard({
  baseUrl: process.env["SLOTKEY_URL"] ?? "https://api.example.com",
  credential: process.env["SLOTKEY_CREDENTIAL"] ?? "",
  catalogue: "fetch"
})
