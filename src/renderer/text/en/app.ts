/** English texts of the frame: tabs, the switch for routing, connection, notices. */
export const app = {
  name: 'Pointsman',
  tabs: { profiles: 'Profiles', models: 'Models', calls: 'Call log' },
  routing: 'Routing',
  paused: 'Paused',
  pauseRouting: 'Pause routing',
  resumeRouting: 'Resume routing',
  routingPaused: 'Routing is paused. Every call is refused until it is resumed.',
  routingResumed: 'Routing goes on.',
  address: 'Address for clients',
  settings: 'Settings',
  practice: 'Practice mode: every account and every answer is simulated. Nothing leaves this machine.',
  practicePanel: 'Try a fault',
  connecting: 'Connecting to Pointsman…',
  lost: 'The connection to Pointsman is lost. What you see is from before; it is tried again by itself.',
  needsLinkTitle: 'This page needs a fresh link',
  needsLink: 'Run this command and open the link that it prints. It works once, for one minute.',
  savingStopped: 'The call log is not being saved:',
  repaired: (file: string, because: string, rows: number, asideName: string) =>
    `${file} was damaged (${because}). ${rows} rows came back; the damaged file was kept as ${asideName}.`,
  vaultClosed: 'The vault is not open:',
  unsaved: 'A sign-in is only in memory so far:',
  unlock: 'Try again',
  olderVault:
    'The vault’s file is older than it was: an earlier one was put back. Its logins are tried as they are; sign in again where one is refused.',
  beginVault: 'Begin a new vault…',
  beginVaultTitle: 'Begin a new vault',
  beginVaultText:
    'Only if its key or passphrase is lost. The present file is renamed and nothing is deleted, but every account must be signed in again and every API key entered anew.',
  beginVaultNow: 'Begin a new vault',
  clockOff: (length: string, isAhead: boolean) =>
    `This machine’s clock is ${length} ${isAhead ? 'ahead of' : 'behind'} the vendors’. Set it: logins and resets are counted by it.`,
  keepsOldCalls:
    'This machine’s clock is far ahead of the time that was last known. Until it proves right, no call is forgotten for its age.',
}
