/** Claude sign-in by its own program, scripted by hand: what is read from its terminal, and what is left behind. */
import { describe, expect, it } from 'vitest'
import { readSetupOutput, versionProblem } from '../../src/main/accounts/setup-output.ts'
import { credentialRef, sourceId } from '../../src/shared/ids.ts'
import { minuteMs, settle } from './kit.ts'
import { signInBench } from './sign-in-kit.ts'

const url = 'https://claude.ai/oauth/authorize?code=true&client_id=x&state=abc'
const token = `sk-ant-oat01-${'a1B2_-'.repeat(12)}`
const control = '\u001b'

describe('what `claude setup-token` writes', () => {
  it.each([
    ['nothing', '', { url: null, wantsCode: false, token: null }],
    [
      'the page and the prompt, in colours',
      `${control}[2J${control}[1;31mOpen${control}[0m\r\n ${control}[36m${url}${control}[39m\r\n Paste code here if prompted > `,
      { url, wantsCode: true, token: null },
    ],
    [
      'the page as a terminal link',
      `${control}]8;;${url}\u0007here${control}]8;;\u0007 or ${url}\n`,
      { url, wantsCode: false, token: null },
    ],
    ['half a page', `Open ${url.slice(0, 40)}`, { url: null, wantsCode: false, token: null }],
    [
      'a page of another host',
      'https://evil.test/oauth/authorize?x=1 \n',
      { url: null, wantsCode: false, token: null },
    ],
    ['half a token', `Your token: ${token.slice(0, 50)}`, { url: null, wantsCode: false, token: null }],
    ['the token', `Your token: ${control}[32m${token}${control}[39m\r\n`, { url: null, wantsCode: false, token }],
    [
      'words that the cursor was moved between',
      `Paste${control}[1Ccode > `,
      { url: null, wantsCode: true, token: null },
    ],
    [
      'why it gave up, as setup-token says it',
      `${control}[31m✘ OAuth error: Invalid code. Try again.${control}[39m\r\n Press Enter to retry`,
      { url: null, wantsCode: false, token: null, failure: 'Invalid code. Try again' },
    ],
    [
      'why it gave up, as auth login says it',
      "Signing in…\r\nCouldn't log in: getaddrinfo EAI_AGAIN platform.claude.com\r\n",
      { url: null, wantsCode: false, token: null, failure: 'getaddrinfo EAI_AGAIN platform.claude.com' },
    ],
    ['half a reason', 'OAuth error: Inval', { url: null, wantsCode: false, token: null }],
  ])('%s', (_, written, expected) => {
    expect(readSetupOutput(written)).toEqual({ failure: null, ...expected })
  })

  it.each([
    ['2.1.225 (Claude Code)', null],
    ['2.1.7', null],
    ['3.0.0', null],
    ['2.1.6 (Claude Code)', 'its version 2.1.6 is older than 2.1.7; update it with `claude update`'],
    ['1.9.99', 'its version 1.9.99 is older than 2.1.7; update it with `claude update`'],
    ['hello', 'it does not tell its version'],
  ])('version %s', (version, expected) => {
    expect(versionProblem(version)).toBe(expected)
  })
})

describe('signing in', () => {
  it('shows the page, types the code, takes the token once, and leaves nothing behind', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'claude', method: 'program', label: 'Max' })
    expect(bench.program.started).toEqual(['/usr/bin/claude', 'setup-token', id])
    expect(bench.step(id)).toMatchObject({ kind: 'program', version: '2.1.225 (Claude Code)', url: null })
    bench.program.say(`Open ${url} \n`)
    bench.program.say('Paste code here if prompted > ')
    expect(bench.step(id)).toMatchObject({ kind: 'program', url, wantsCode: true })
    expect(bench.signIns.finish(id, 'rm -rf /\u0003')).toMatchObject({ code: 'invalid_input' })
    bench.signIns.finish(id, ' abc#def ')
    expect(bench.program.typed).toEqual(['abc#def\r'])
    bench.program.say(token.slice(0, 30))
    bench.program.say(`${token.slice(30)}\n`)
    bench.program.exit(0)
    await settle()
    expect(bench.step(id)).toEqual({ kind: 'done', accountId: 'max', label: 'Max', isNew: true, warning: null })
    expect(bench.vault.records.get(credentialRef(sourceId('max')))).toMatchObject({
      accessToken: token,
      refreshToken: null,
    })
    expect(bench.sources.get(sourceId('max'))).toMatchObject({ custody: 'setup-token', serves: 'claude-code-only' })
    expect([[...bench.program.folders], bench.program.isEnded]).toEqual([[], true])
    expect(JSON.stringify([bench.log.lines, bench.signIns.all()])).not.toContain('sk-ant-oat01')
  })

  it('does not wait for a program that stays open after its token', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'claude', method: 'program' })
    bench.program.say(`${token}\n Press any key`)
    bench.clock.advance(2_000)
    await settle()
    expect([bench.step(id).kind, bench.program.isEnded, bench.program.folders.size]).toEqual(['done', true, 0])
  })

  it.each([
    [
      'no program',
      { kind: 'missing' } as const,
      {
        sentence: 'Claude Code (`claude`) was not found on this machine.',
        next: 'Install it with `npm install -g @anthropic-ai/claude-code`, or paste a token that `claude setup-token` made elsewhere.',
      },
    ],
    [
      'an old one',
      { kind: 'found', path: '/x', version: '1.0.0' } as const,
      {
        sentence:
          'The sign-in did not succeed: `claude` can not be used: its version 1.0.0 is older than 2.1.7; update it with `claude update`.',
      },
    ],
  ])('says what to do: %s', async (_, found, expected) => {
    const bench = signInBench()
    bench.program.found = found
    const id = await bench.start({ provider: 'claude', method: 'program' })
    expect(bench.step(id)).toMatchObject({ kind: 'failed', ...expected })
    expect([bench.program.started, bench.program.folders.size]).toEqual([null, 0])
  })

  it.each([
    ['its exit without a token', (bench: ReturnType<typeof signInBench>) => bench.program.exit(1), 'failed'],
    ['its own words', (bench: ReturnType<typeof signInBench>) => bench.program.say('OAuth error: No.\n'), 'failed'],
    ['a cancel', (bench: ReturnType<typeof signInBench>) => void bench.signIns.cancel('sign-in-1'), 'cancelled'],
    ['ten minutes', (bench: ReturnType<typeof signInBench>) => bench.clock.advance(10 * minuteMs), 'timeout'],
    ['endless output', (bench: ReturnType<typeof signInBench>) => bench.program.say('x'.repeat(1_000_001)), 'failed'],
  ])('%s ends it, with the program and its folder', async (_, act, because) => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'claude', method: 'program' })
    expect(bench.program.folders.size).toBe(1)
    act(bench)
    await settle()
    expect(bench.step(id)).toMatchObject({ kind: 'failed', because })
    expect([bench.program.folders.size, bench.program.isEnded, bench.clock.waiting]).toEqual([0, true, 0])
    expect(bench.sources.all()).toEqual([])
  })
})

describe('its full login', () => {
  const file = JSON.stringify({
    claudeAiOauth: { accessToken: 'sk-ant-oat01-full', refreshToken: 'sk-ant-ort01-full', subscriptionType: 'max' },
  })
  const begin = async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'claude', method: 'program-login', label: 'Max' })
    return { ...bench, id }
  }

  it('is taken over from its private folder, which is removed: Pointsman is its only holder', async () => {
    const { program, sources, vault, step, id } = await begin()
    expect(program.started).toEqual(['/usr/bin/claude', 'auth', 'login', '--claudeai', id])
    program.left = file
    program.say(`visit: ${url}\n Paste code here if prompted > `)
    expect(step(id)).toMatchObject({ kind: 'program', url, wantsCode: true })
    program.say('Login successful.\n')
    program.exit(0)
    await settle()
    expect(step(id)).toEqual({ kind: 'done', accountId: 'max', label: 'Max', isNew: true, warning: null })
    expect(sources.get(sourceId('max'))).toMatchObject({ custody: 'pointsman', origin: 'sign-in', plan: 'max' })
    expect(vault.records.get(credentialRef(sourceId('max')))).toMatchObject({ refreshToken: 'sk-ant-ort01-full' })
    expect(program.folders.size).toBe(0)
  })

  it.each([
    [
      'no file',
      0,
      null,
      '`claude` keeps its login elsewhere than in a file on this system; sign in with a setup-token',
    ],
    ['a failure', 1, file, '`claude auth login` ended without a login (exit code 1)'],
  ])('%s makes no account', async (_, code, left, why) => {
    const { program, sources, step, id } = await begin()
    program.left = left
    program.exit(code)
    await settle()
    expect(step(id)).toMatchObject({ kind: 'failed', sentence: `The sign-in did not succeed: ${why}.` })
    expect([sources.all(), program.folders.size]).toEqual([[], 0])
  })
})
