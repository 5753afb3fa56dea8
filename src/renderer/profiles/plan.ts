/** Plans in the words that their vendors use on their pages. */
const names: Readonly<Record<string, string>> = {
  max: 'Max',
  max_5x: 'Max 5×',
  max_20x: 'Max 20×',
  pro: 'Pro',
  team: 'Team',
  enterprise: 'Enterprise',
  plus: 'Plus',
  business: 'Business',
  free: 'Free',
}

/** An unknown plan is shown as it came. */
export const planName = (plan: string | null): string | null => (plan === null ? null : (names[plan] ?? plan))
