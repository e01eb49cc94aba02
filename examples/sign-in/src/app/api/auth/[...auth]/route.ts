import { authHandler } from "../../../../auth.ts"
import { fromEnvironment } from "../../../../settings.ts"

const handler = authHandler(fromEnvironment())

export { handler as GET, handler as POST }
