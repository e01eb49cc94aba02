import { Conflict, NotFound } from "../../domain/ApiError.ts"

export const resourceNotFound = new NotFound({ code: "resource_not_found", message: "There is no such resource." })

export const resourceChanged = new Conflict({
  code: "resource_changed",
  message: "The resource has changed since you looked at it. Nothing was changed."
})
