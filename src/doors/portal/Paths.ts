/** The pages of one app: its owner's, and the reviewer's. */
export const appPath = (id: string): string => `/settings/apps/${encodeURIComponent(id)}`
/** Where the owner moves an app from before scopes to them. */
export const migrationPath = (id: string): string => `${appPath(id)}/migration`
export const reviewPath = (id: string): string => `/review/${encodeURIComponent(id)}`
