/** `ordered`: the dragged order is law (MAG `Ordered`, CLO `priority_failover`). */
import { identity, plain, type Strategy } from './strategy.ts'

export const ordered: Strategy = {
  ...plain,
  id: 'ordered',
  sentence: 'In your order: the first until it can not answer.',
  exact: true,
  order: (_pool, seats, _nowMs, state) => ({ order: identity(seats.length), next: state }),
}
