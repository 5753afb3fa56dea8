/** Types of `build-if-stale.mjs`, for the tests. */
export const root: string
export const headless: string
export const projectNode: string
export function buildIfStale(options?: { readonly say?: (text: string) => void; readonly window?: boolean }): void
