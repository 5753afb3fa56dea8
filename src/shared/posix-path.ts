/** A path within a command for a POSIX shell, quoted where it has to be: that of an application folder has a space. */
export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
