export function importedPackages(root: string): string[]
