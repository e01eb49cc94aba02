import { makeOfflineGuard } from "../../../../src/resource.ts"

export const guard = await makeOfflineGuard({ baseUrl: process.env["SLOTKEY_URL"] ?? "https://api.example.com" })
