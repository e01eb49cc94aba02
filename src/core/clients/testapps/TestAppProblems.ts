import { NotFound } from "../../../domain/ApiError.ts"

export const testAppNotFound = new NotFound({ code: "test_app_not_found", message: "There is no such test app." })
