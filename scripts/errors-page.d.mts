export function errorsPage(
  catalogue: Readonly<Record<string, { status: number; sentence: string; next: string; again: boolean }>>,
): string
export function withErrorTexts(
  page: string,
  catalogue: Readonly<Record<string, { readonly sentence: string; readonly next: string }>>,
): string
