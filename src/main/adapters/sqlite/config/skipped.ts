/** How a table says that one of its rows could not be read: the others still count. */
export type SkipRow = (table: string, id: string) => void
