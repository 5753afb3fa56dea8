export function lossesPage(
  losses: readonly {
    readonly id: string
    readonly action: string
    readonly sentence: string
    readonly from: readonly string[]
    readonly to: readonly string[]
    readonly when?: unknown
  }[],
): string
