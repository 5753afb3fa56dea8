/** English texts of the practice panel. */
export const practice = {
  title: 'Practice',
  text: 'Break an account and watch the next call go elsewhere; the call log says why.',
  source: 'Source',
  fault: (name: string) => `Fault of ${name}`,
  faults: {
    none: 'Works',
    exhaust: 'Quota used up',
    overload: 'Overloaded (529)',
    cut: 'Cuts its answers',
    revoke: 'Login revoked',
    slow: 'Slow',
  },
  hints: {
    none: 'Answers as it should.',
    exhaust: 'Its short window is spent until a reset some minutes away.',
    overload: 'The vendor’s host asks to come back later.',
    cut: 'Answers break off in the middle.',
    revoke: 'The vendor has ended the login: it must be signed in again.',
    slow: 'Answers dribble.',
  },
  set: (name: string, fault: string) => `${name}: ${fault}.`,
}
