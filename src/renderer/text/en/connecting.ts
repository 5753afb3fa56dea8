/** English texts of the further ways to connect a client, of the lines for SDKs, and of what an older program left. */
export const connecting = {
  way: 'How',
  ways: { own: 'As a provider of its own', 'base-url': 'By its address alone' },
  wayHints: {
    own: 'One provider id for ever, so that your history stays in sight. Codex is then not signed in to ChatGPT.',
    'base-url': 'Codex keeps its own provider and its ChatGPT sign-in; the key stands in the address.',
  },
  byAddress: 'by its address',

  folderAction: 'Connect a folder…',
  folderTitle: 'Connect Claude Code in one folder',
  folder: 'Folder',
  folderHint:
    'Written in full: /home/you/shop. Its local settings get a key of their own, to which you can give a policy.',
  folderCare: 'The file then holds a key: keep it out of the repository.',
  look: 'Show the lines',
  inFolder: (client: string, folder: string) => `${client} in ${folder}`,

  sdks: 'SDKs',
  sdksText: 'OpenAI and Anthropic, by environment variables',
  sdksNothing: 'Nothing is written',
  sdkAction: 'Show lines…',
  sdkTitle: 'Lines for the vendors’ SDKs',
  shell: 'Shell',
  shells: { posix: 'sh, bash, zsh', fish: 'fish', powershell: 'PowerShell' },
  sdkText: 'A new key is made and shown in these lines, this once.',
  sdkMade: (key: string) => `The key is named ${key}. Copy the lines now: they are shown this once.`,
  makeKey: 'Make a key',
  copyLines: 'Copy lines',
  lines: 'Lines for the shell',

  adoptAction: 'Take over from clovapi…',
  adoptTitle: 'Take over from clovapi',
  adoptText:
    'The older program clovapi left these files here. They stay as they are; taking over twice is the same as once.',
  adoptDone: 'This is what became of each file.',
  adoptFiles: 'Files of clovapi',
  adoptColumns: { file: 'File', outcome: 'Outcome', why: 'Why' },
  adoptOutcomes: {
    new: 'can be taken over',
    adopted: 'taken over',
    known: 'is here already',
    unknown: 'left alone',
  },
  adoptNow: 'Take over',
}
