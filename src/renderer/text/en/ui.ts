/** English texts that every part shares: actions, times, states of loading. */
const two = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export const ui = {
  add: 'Add',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  delete: 'Delete',
  done: 'Done',
  more: 'More actions',
  moreFor: (name: string) => `More actions for ${name}`,
  rename: 'Rename',
  retry: 'Try again',
  save: 'Save',
  undo: 'Undo',
  undone: 'Undone.',
  loading: 'Loading…',
  notices: 'Notices',
  /** In place of a value that isn't known. */
  missing: '–',
  unreachable: 'Pointsman could not be reached. Try again once the connection is back.',
  optional: 'optional',
  days: (count: number) => `${count} d`,
  hours: (count: number) => `${count} h`,
  minutes: (count: number) => `${count} min`,
  seconds: (count: number) => `${count} s`,
  ago: (duration: string) => `${duration} ago`,
  justNow: 'just now',
  items: (count: number) => two(count, 'item', 'items'),
}
