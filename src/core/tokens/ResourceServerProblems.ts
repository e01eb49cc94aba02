import { NotFound } from "../../domain/ApiError.ts"

export const resourceServerNotFound = new NotFound({
  code: "resource_server_not_found",
  message: "The resource has no such credential."
})
