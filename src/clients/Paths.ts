/** The pages of one app: its owner's, and the reviewer's. */
export const appPath = (id: string): string => `/settings/apps/${encodeURIComponent(id)}`
export const reviewPath = (id: string): string => `/review/${encodeURIComponent(id)}`
