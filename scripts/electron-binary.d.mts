/** Types of `electron-binary.mjs`, for the tests. */
export function installedElectron(): string | null
