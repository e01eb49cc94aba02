import { profileHandler } from "../../../profile.ts"
import { fromEnvironment } from "../../../settings.ts"

export const GET = profileHandler(fromEnvironment())
