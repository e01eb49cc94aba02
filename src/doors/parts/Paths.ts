export const appPath = (id: string): string => `/settings/apps/${encodeURIComponent(id)}`
/** Page of the test app of an app, for its owner. */
export const testPath = (id: string): string => `${appPath(id)}/test`
/** Page on which the owner moves a legacy app to scopes. */
export const migrationPath = (id: string): string => `${appPath(id)}/migration`
/** Page of one connected app, for its user. */
export const connectionPath = (id: string): string => `/connections/apps/${encodeURIComponent(id)}`
export const reviewPath = (id: string): string => `/review/${encodeURIComponent(id)}`
