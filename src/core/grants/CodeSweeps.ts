import * as Sweep from "../../foundation/database/Sweep.ts"

/** Authorization codes past their lifetime, spent or not. */
export const sweeps = [Sweep.expired("codes", "expires_at")]
