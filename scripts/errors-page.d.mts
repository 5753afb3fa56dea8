export function errorsPage(
  catalogue: Readonly<Record<string, { status: number; sentence: string; next: string; again: boolean }>>,
): string
