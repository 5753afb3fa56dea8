/** English texts of what translation loses. */
export const losses = {
  badge: 'translated',
  badgeHint: (client: string, upstream: string) =>
    `Calls of ${client} clients go out as ${upstream}. “Dialects and losses” says what that loses.`,
  open: 'Dialects and losses…',
  title: (name: string) => `${name}: dialects and losses`,
  dialects: { messages: 'Messages', responses: 'Responses', chat: 'Chat Completions' },
  clients: {
    messages: 'Messages clients, such as Claude Code',
    responses: 'Responses clients, such as Codex',
    chat: 'Chat Completions clients',
  },
  spoken: 'Served in their own dialect; nothing is lost.',
  into: (upstream: string) => `Translated to ${upstream}. What a call holds of the following is lost or changed:`,
  notServed: 'Not served: only its vendor’s own client is.',
  action: 'What becomes of it',
  what: 'What',
  actions: {
    refused: 'refused',
    dropped: 'left out',
    emulated: 'emulated',
    moved: 'moved',
    clamped: 'limited',
  },
  strictness: 'What a translation would leave out',
  strictnessHint: 'Counts for every backend of this model that is asked in another dialect.',
  strict: {
    setting: 'As the setting for all models says',
    loose: 'Left out, with a note in the call log',
    strict: 'Refused, with the name of the field',
  },
  /** By id. Empty: the program's own sentence is shown. */
  sentences: {} as Readonly<Record<string, string>>,
}
