import { NotFound } from "../../../domain/ApiError.ts"

export const clientNotFound = new NotFound({ code: "client_not_found", message: "There is no such app." })
