/** What the doctor says of the vault and of a clock that is off, each with the next step. */
import { expect, test } from 'vitest'
import { vaultCheck, vendorClockCheck } from '../../../../src/main/shell/headless/cli/snapshot-checks.ts'

const open = { kind: 'keychain', state: 'open', why: null, unsaved: null, isOlder: false } as const
const lost = /vault\.setAside/

test.each([
  ['open', open, true, 'The keychain vault is open.', null],
  ['locked', { ...open, state: 'locked', why: 'it is locked' }, false, 'it is locked', /Unlock it/],
  ['without its key', { ...open, state: 'key-missing', why: 'its key is gone' }, false, 'its key is gone', lost],
  ['unsaved', { ...open, unsaved: 'the disk is full' }, false, 'the disk is full', /Free disk space/],
  ['older than it was', { ...open, isOlder: true }, false, /an earlier one was put back/, /Sign in again/],
] as const)('a vault that is %s', (_, vault, ok, sentence, next) => {
  const found = vaultCheck(vault)
  expect(found.ok).toBe(ok)
  expect(found.sentence).toMatch(sentence)
  if (next === null) expect(found.next).toBeNull()
  else expect(found.next).toMatch(next)
})

test.each([
  [null, true, 'No vendor has answered yet.'],
  [119_000, true, 'This machine’s clock agrees with theirs.'],
  [-119_000, true, 'This machine’s clock agrees with theirs.'],
  [7 * 60_000, false, 'This machine’s clock is 7 minutes ahead of theirs.'],
  [-3_600_000, false, 'This machine’s clock is 60 minutes behind theirs.'],
])('F60 a clock that is %s ms ahead', (aheadMs, ok, sentence) => {
  const found = vendorClockCheck(aheadMs === null ? null : { aheadMs, seenAtMs: 0 })
  expect(found).toMatchObject({ ok, sentence })
  expect(found.next === null).toBe(ok)
})
