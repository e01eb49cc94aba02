import { Layer } from "effect"
import { AppReports } from "./AppReports.ts"
import { Arrivals } from "./Arrivals.ts"
import { Connections } from "./Connections.ts"
import { Consent } from "./Consent.ts"

// This room holds the rules of the authorization endpoint (RFC 6749 §3.1): what an app may request, what its user is
// asked, what follows from the decision, and the apps that it has connected. The consent door turns all that into pages
// and redirects.

/** Services of this room, composed once for the server and the tests. */
export const ConsentServices = Layer.mergeAll(AppReports.layer, Arrivals.layer, Connections.layer, Consent.layer)
