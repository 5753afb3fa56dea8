/** Sessions of the window that were forged in their file: none opens anything (T7.10). */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sessionFile } from '../../../src/main/shell/headless/window/session-file.ts'
import { Sessions } from '../../../src/main/shell/headless/window/sessions.ts'

const folder = mkdtempSync(join(tmpdir(), 'pointsman-sessions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const path = join(folder, 'sessions')
const nowMs = 1_800_000_000_000
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const whole = { cookieDigest: digest('cookie'), tokenDigest: digest('token'), createdAtMs: nowMs - 1 }

/** What the file's content opens for somebody who has the cookie. */
function found(content: string) {
  writeFileSync(path, content)
  return new Sessions(sessionFile(path), () => nowMs).find('cookie')
}

const without = (name: keyof typeof whole) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))

describe('T7.10 a session record', () => {
  test('T7.10 the control: a whole one opens the window', () => {
    const sessions = found(JSON.stringify([whole]))
    expect(sessions).toEqual(whole)
  })

  test.each([
    ['nothing', ''],
    ['no list', JSON.stringify(whole)],
    ['half a file', JSON.stringify([whole]).slice(0, 60)],
    ['an empty record', '[{}]'],
    ['null', '[null]'],
    ['a text', '["x"]'],
    ['a list in the list', JSON.stringify([[whole]])],
    ['no cookie', JSON.stringify([without('cookieDigest')])],
    ['no token', JSON.stringify([without('tokenDigest')])],
    ['no time', JSON.stringify([without('createdAtMs')])],
    ['a cookie in plain text', JSON.stringify([{ ...whole, cookieDigest: 'cookie' }])],
    ['an empty cookie', JSON.stringify([{ ...whole, cookieDigest: '' }])],
    ['a token that is no digest', JSON.stringify([{ ...whole, tokenDigest: '' }])],
    ['a token of another type', JSON.stringify([{ ...whole, tokenDigest: true }])],
    ['a cookie of another type', JSON.stringify([{ ...whole, cookieDigest: [whole.cookieDigest] }])],
    ['a time as text', JSON.stringify([{ ...whole, createdAtMs: String(nowMs) }])],
    ['a time without end', `[${JSON.stringify(whole).replace(/"createdAtMs":\d+/, '"createdAtMs":1e999')}]`],
    ['one that has ended', JSON.stringify([{ ...whole, createdAtMs: nowMs - 31 * 24 * 3_600_000 }])],
    ['fields of a prototype', `[{"__proto__":${JSON.stringify(whole)}}]`],
  ])('T7.10 %s opens nothing', (_, content) => {
    expect(found(content)).toBeNull()
  })
})
