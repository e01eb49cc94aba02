import { createServer } from "node:http"

/** A handler that does nothing: what Node itself takes for a request. */
createServer((_, response) => void response.end()).listen(Number(process.argv[2]), "127.0.0.1")
process.on("SIGTERM", () => process.exit(0))
