import { NotFound } from "../../domain/ApiError.ts"

export const resourceNotFound = new NotFound({ code: "resource_not_found", message: "There is no such resource." })
