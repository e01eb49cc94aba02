import { makeGuard } from "slotkey/resource"
import { expressApp } from "./express.ts"

const guard = await makeGuard({
  baseUrl: process.env["SLOTKEY_URL"] ?? "http://localhost:3000",
  credential: process.env["SLOTKEY_CREDENTIAL"] ?? ""
})

const server = expressApp(guard).listen(Number(process.env["PORT"] ?? "8080"))
process.once("SIGTERM", () => server.close(() => guard.close()))
