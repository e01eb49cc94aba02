export const appPath = (id: string): string => `/settings/apps/${encodeURIComponent(id)}`
/** Pages of an app for its owner, the first at the address of the app itself. */
export const appTabs = ["overview", "credentials", "scopes", "activity", "settings"] as const
export type AppTab = (typeof appTabs)[number]
export const appTabPath = (id: string, tab: AppTab): string =>
  tab === "overview" ? appPath(id) : `${appPath(id)}/${tab}`
/** Page on which the owner moves a legacy app to scopes. */
export const migrationPath = (id: string): string => `${appPath(id)}/migration`
/** Page of one connected app, for its user. */
export const connectionPath = (id: string): string => `/connections/apps/${encodeURIComponent(id)}`
export const reviewPath = (id: string): string => `/review/${encodeURIComponent(id)}`
