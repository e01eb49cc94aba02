/** Page of an app for its owner. */
export const appPath = (id: string): string => `/settings/apps/${encodeURIComponent(id)}`
/** Page on which the owner moves a legacy app to scopes. */
export const migrationPath = (id: string): string => `${appPath(id)}/migration`
/** Page of an app for its reviewer. */
export const reviewPath = (id: string): string => `/review/${encodeURIComponent(id)}`
