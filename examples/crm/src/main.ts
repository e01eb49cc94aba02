import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { makeGuard } from "slotkey/resource"
import { apiBehindGateway, guardedApi } from "./api.ts"

const { GATEWAY, PORT = "8080", SLOTKEY_CREDENTIAL = "", SLOTKEY_URL = "http://localhost:3000" } = process.env

/** The API with its own guard, or without one behind nginx.conf (`GATEWAY=nginx`). */
const listener = GATEWAY === undefined
  ? guardedApi(
    await makeGuard({
      baseUrl: SLOTKEY_URL,
      credential: SLOTKEY_CREDENTIAL,
      catalogue: JSON.parse(readFileSync("slotkey.catalogue.json", "utf8"))
    })
  )
  : apiBehindGateway

const server = createServer(listener).listen(Number(PORT), "127.0.0.1")
process.once("SIGTERM", () => server.close())
