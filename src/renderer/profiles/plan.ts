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

const ofWorkspaces: readonly string[] = ['team', 'business', 'enterprise', 'edu']

/** Whether its accounts are told apart by workspace rather than by e-mail. */
export const isOfWorkspace = (plan: string | null): boolean => plan !== null && ofWorkspaces.includes(plan)

/** An unknown plan is shown as it came. */
export const planName = (plan: string | null): string | null => (plan === null ? null : (names[plan] ?? plan))
