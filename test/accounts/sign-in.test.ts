/** Codex sign-in in the browser and by device code, over hand-made ports. */
import { describe, expect, it } from 'vitest'
import { readCallback, readPasted } from '../../src/main/accounts/callback.ts'
import { base64Url, isSameText, newPkce } from '../../src/main/accounts/pkce.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { digest, json, minuteMs, settle } from './kit.ts'
import { countingChance, signInBench, tokensFor, viewOf } from './sign-in-kit.ts'

describe('pkce', () => {
  it('makes a challenge that is SHA-256 of its verifier, as RFC 7636 shows', () => {
    const bytes = Uint8Array.from([
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
    ])
    expect(base64Url(Uint8Array.from([...bytes, 91, 88, 5, 88, 83, 132, 141, 121]))).toBe(
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    )
    const chance = { unit: () => 0, bytes: () => Uint8Array.from([...bytes, 91, 88, 5, 88, 83, 132, 141, 121]) }
    expect(newPkce(chance, digest).challenge).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  })

  it('encodes every length as Node does', () => {
    for (let length = 0; length < 70; length += 1) {
      const bytes = countingChance().bytes(Math.min(length, 64))
      expect(base64Url(bytes)).toBe(Buffer.from(bytes).toString('base64url'))
    }
  })

  it('keeps state and verifier apart, and compares whole texts', () => {
    const { state, verifier } = newPkce(countingChance(), digest)
    expect([state.length, verifier.length, state === verifier]).toEqual([43, 43, false])
    expect([isSameText('abc', 'abc'), isSameText('abc', 'abd'), isSameText('abc', 'ab'), isSameText('', 'a')]).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a callback', () => {
  const unreadable = { kind: 'unreadable' }
  it.each([
    ['code=a&state=b', { kind: 'code', code: 'a', state: 'b' }],
    ['?state=b&code=a%2Bc&scope=x', { kind: 'code', code: 'a+c', state: 'b' }],
    ['error=access_denied&error_description=<b>&state=b', { kind: 'error', state: 'b', denied: true }],
    ['error=server_error&state=b', { kind: 'error', state: 'b', denied: false }],
    ['code=a', unreadable],
    ['code=&state=b', unreadable],
    ['code=a&state=', unreadable],
    ['code=a&state=b&state=c', unreadable],
    ['code=a&code=b&state=c', unreadable],
    ['code=a%0Ab&state=c', unreadable],
    ['code=%E0%A4%A&state=c', unreadable],
    ['', unreadable],
    [`code=${'a'.repeat(5_000)}&state=b`, unreadable],
  ])('%s', (query, expected) => {
    expect(readCallback(query)).toEqual(expected)
  })

  it.each([
    [' http://localhost:1455/auth/callback?code=a&state=b \n', { kind: 'code', code: 'a', state: 'b' }],
    ['http://127.0.0.1:1457/auth/callback?code=a&state=b', { kind: 'code', code: 'a', state: 'b' }],
    ['code=a&state=b', { kind: 'code', code: 'a', state: 'b' }],
    ['http://evil.test/auth/callback?code=a&state=b', unreadable],
    ['http://localhost:1455/other?code=a&state=b', unreadable],
    ['http://', unreadable],
  ])('is read from what was pasted: %s', (pasted, expected) => {
    expect(readPasted(pasted, '/auth/callback')).toEqual(expected)
  })
})

describe('in the browser', () => {
  it('opens the page, takes the code once, and makes the account', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    const { url } = bench.step(id) as { url: string }
    const { origin, pathname, searchParams } = new URL(url)
    expect([bench.opened, `${origin}${pathname}`]).toEqual([[url], 'https://auth.openai.com/oauth/authorize'])
    const { state, code_challenge, ...fixed } = Object.fromEntries(searchParams)
    expect([state?.length, code_challenge?.length]).toEqual([43, 43])
    expect(fixed).toEqual({
      response_type: 'code',
      client_id: 'app_EMoamEEZ73f0CkXaXp7hrann',
      redirect_uri: 'http://localhost:1455/auth/callback',
      scope: 'openid profile email offline_access',
      code_challenge_method: 'S256',
      id_token_add_organizations: 'true',
      codex_cli_simplified_flow: 'true',
      originator: 'pointsman',
    })
    expect(bench.callbacks.hooks?.callback(bench.approve(id, 'code-1'))).toBe('accepted')
    await settle()
    expect(bench.step(id)).toEqual({
      kind: 'done',
      accountId: 'me-example-test',
      label: 'me@example.test',
      isNew: true,
      warning: null,
    })
    expect(bench.callbacks.open).toBe(0)
    expect(bench.clock.waiting).toBe(0)
    const account = bench.sources.get(sourceId('me-example-test'))
    expect(account).toMatchObject({ custody: 'pointsman', identity: { userId: 'user-1', workspaceId: 'space-1' } })
  })

  it('T1.9 no state, a wrong one and a replayed one change nothing, and the right one still counts', async () => {
    const bench = signInBench()
    const earlier = await bench.start({ provider: 'codex', method: 'browser' })
    const replayed = bench.approve(earlier, 'attacker')
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    const hooks = bench.callbacks.hooks
    expect(bench.step(earlier)).toMatchObject({ kind: 'failed', because: 'cancelled' })
    for (const query of ['code=attacker', 'code=attacker&state=wrong', replayed, 'error=access_denied&state=wrong']) {
      expect(hooks?.callback(query)).toBe('refused')
    }
    await settle()
    expect([bench.step(id).kind, bench.sources.all(), bench.callbacks.open]).toEqual(['browser', [], 1])
    expect(hooks?.callback(bench.approve(id, 'mine'))).toBe('accepted')
    await settle()
    expect(bench.step(id).kind).toBe('done')
  })

  it('T1.9 the right state counts once', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    const query = bench.approve(id, 'code-1')
    const hooks = bench.callbacks.hooks
    expect([hooks?.callback(query), hooks?.callback(query)]).toEqual(['accepted', 'refused'])
    await settle()
    expect(bench.sources.all().length).toBe(1)
    expect(bench.web.requests.filter(({ url }) => url.endsWith('/oauth/token')).length).toBe(1)
    expect(viewOf(bench.signIns.get(id)).step.kind).toBe('done')
    expect(bench.signIns.finish(id, query)).toMatchObject({ code: 'invalid_input' })
  })

  it('T1.9 a code that was given out for another sign-in is refused by the vendor, and no account is stored', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    const state = new URL((bench.step(id) as { url: string }).url).searchParams.get('state')
    bench.codes.set('attacker', 'challenge-of-another')
    bench.callbacks.hooks?.callback(`code=attacker&state=${state}`)
    await settle()
    expect(bench.step(id)).toEqual({
      kind: 'failed',
      because: 'failed',
      sentence: 'The sign-in did not succeed: the vendor refused the sign-in code.',
      next: 'Start it again.',
    })
    expect([bench.sources.all(), bench.callbacks.open]).toEqual([[], 0])
  })

  it('T1.9 F59 after five minutes the listener is gone and a late code changes nothing', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    const hooks = bench.callbacks.hooks
    const late = bench.approve(id, 'late')
    bench.clock.advance(5 * minuteMs - 1)
    expect(bench.step(id).kind).toBe('browser')
    bench.clock.advance(1)
    await settle()
    expect([bench.step(id), bench.callbacks.open, hooks?.callback(late)]).toEqual([
      {
        kind: 'failed',
        because: 'timeout',
        sentence: 'The sign-in did not succeed: its time ran out.',
        next: 'Start it again.',
      },
      0,
      'refused',
    ])
    expect(bench.web.requests).toEqual([])
  })

  it('F59 a refusal on the vendor’s page ends it in fixed words, nothing of the page’s own', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    const state = new URL((bench.step(id) as { url: string }).url).searchParams.get('state')
    expect(bench.callbacks.hooks?.callback(`error=access_denied&error_description=echo-me&state=${state}`)).toBe(
      'denied',
    )
    await settle()
    expect(bench.step(id)).toMatchObject({ kind: 'failed', because: 'denied' })
    expect(JSON.stringify([bench.step(id), bench.log.lines])).not.toContain('echo-me')
  })

  it('F58 with both ports taken it says so and takes the pasted address', async () => {
    const bench = signInBench()
    bench.callbacks.isTaken = true
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    expect(bench.step(id)).toMatchObject({
      kind: 'browser',
      port: null,
      because: 'other programs hold the ports 1455 and 1457, the only two that the vendor returns to',
    })
    const query = bench.approve(id, 'code-1')
    expect(bench.signIns.finish(id, 'http://localhost:1455/auth/callback?code=x&state=y')).toMatchObject({
      code: 'invalid_input',
      sentence: 'The input is not valid: this address belongs to another sign-in.',
    })
    bench.signIns.finish(id, `http://localhost:1455/auth/callback?${query}`)
    await settle()
    expect(bench.step(id).kind).toBe('done')
  })

  it('takes the pasted address without any listener when that was chosen', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'paste' })
    expect(bench.callbacks.open).toBe(0)
    bench.signIns.finish(id, bench.approve(id, 'code-1'))
    await settle()
    expect(bench.step(id).kind).toBe('done')
  })

  it('a grant that comes after the cancel is ended at the vendor: nobody has it', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    let answer: (value: ReturnType<typeof json>) => void = () => {}
    bench.web.next(() => new Promise((resolve) => (answer = resolve)))
    bench.callbacks.hooks?.callback(bench.approve(id, 'code-1'))
    await settle()
    bench.signIns.cancel(id)
    answer(json(200, tokensFor('user-1', 'space-1')))
    await settle()
    const [last] = bench.web.requests.slice(-1)
    expect([last?.url.endsWith('/oauth/revoke'), JSON.parse(last?.body ?? '{}')]).toEqual([
      true,
      {
        token: 'rt-user-1-space-1',
        token_type_hint: 'refresh_token',
        client_id: 'app_EMoamEEZ73f0CkXaXp7hrann',
      },
    ])
    expect([bench.step(id).kind, bench.sources.all(), bench.vault.records.size]).toEqual(['failed', [], 0])
  })

  it('cancelled while its account is being written, nothing of it stays, at the vendor neither', async () => {
    const bench = signInBench()
    let write: () => void = () => {}
    bench.vault.gate = new Promise((resolve) => (write = resolve))
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    bench.callbacks.hooks?.callback(bench.approve(id, 'code-1'))
    await settle()
    bench.signIns.cancel(id)
    write()
    await settle()
    expect(bench.step(id)).toMatchObject({ kind: 'failed', because: 'cancelled' })
    expect([bench.sources.all(), bench.vault.records.size]).toEqual([[], 0])
    expect(bench.web.requests.filter(({ url }) => url.endsWith('/oauth/revoke'))).toHaveLength(1)
  })

  it('a grant whose account can not be kept is ended too; one that is kept never is', async () => {
    const bench = signInBench()
    const revoked = () => bench.web.requests.filter(({ url }) => url.endsWith('/oauth/revoke')).length
    bench.vault.isFull = true
    const first = await bench.start({ provider: 'codex', method: 'browser' })
    bench.callbacks.hooks?.callback(bench.approve(first, 'code-1'))
    await settle()
    expect([bench.step(first).kind, revoked()]).toEqual(['failed', 1])
    bench.vault.isFull = false
    const second = await bench.start({ provider: 'codex', method: 'browser' })
    bench.callbacks.hooks?.callback(bench.approve(second, 'code-2'))
    await settle()
    expect([bench.step(second).kind, revoked()]).toEqual(['done', 1])
  })

  it('a cancel gives the port back at once, and what comes from the vendor afterwards is dropped', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    bench.callbacks.hooks?.callback(bench.approve(id, 'code-1'))
    expect(bench.signIns.cancel(id)).toMatchObject({ step: { kind: 'failed', because: 'cancelled' } })
    await settle()
    expect([bench.step(id).kind, bench.sources.all(), bench.callbacks.open]).toEqual(['failed', [], 0])
  })

  it('leaves when another program of this machine asks for the port', async () => {
    const bench = signInBench()
    const id = await bench.start({ provider: 'codex', method: 'browser' })
    bench.callbacks.hooks?.cancelled()
    await settle()
    expect([bench.step(id), bench.callbacks.open]).toMatchObject([{ kind: 'failed', because: 'cancelled' }, 0])
  })

  it('closing gives every port back', async () => {
    const bench = signInBench()
    await bench.start({ provider: 'codex', method: 'browser' })
    await bench.signIns.close()
    expect([bench.callbacks.open, bench.clock.waiting]).toEqual([0, 0])
  })
})

describe('signing an account in again', () => {
  async function signedInTwice(second: object) {
    const bench = signInBench()
    await bench.desk.import({
      provider: 'codex',
      label: 'Work',
      credential: { tokens: tokensFor('user-1', 'space-1') },
    })
    await bench.desk.import({
      provider: 'codex',
      label: 'Team',
      credential: { tokens: tokensFor('user-1', 'space-2') },
    })
    bench.sources.signedOut(sourceId('work'), 'its sign-in is too old')
    const again = signInBench(second)
    for (const source of bench.sources.all()) again.sources.save(source)
    const id = await again.start({ provider: 'codex', method: 'browser', replaces: sourceId('work') })
    again.callbacks.hooks?.callback(again.approve(id, 'code-1'))
    await settle()
    return { again, step: again.step(id) }
  }

  it('updates its own account alone, label and id unchanged', async () => {
    const { again, step } = await signedInTwice(tokensFor('user-1', 'space-1'))
    expect(step).toMatchObject({ kind: 'done', accountId: 'work', label: 'Work', isNew: false })
    expect(again.sources.all().map(({ id }) => id)).toEqual(['work', 'team'])
    expect(again.sources.get(sourceId('work'))).toMatchObject({ signedOut: null })
  })

  it('refuses the login of another workspace, and the account stays as it was', async () => {
    const { again, step } = await signedInTwice(tokensFor('user-1', 'space-2'))
    expect(step).toMatchObject({
      kind: 'failed',
      sentence: 'The input is not valid: this login belongs to another account than Work.',
    })
    expect(again.sources.get(sourceId('work'))).toMatchObject({ signedOut: { because: 'its sign-in is too old' } })
  })
})

describe('by device code', () => {
  const asked = json(200, { device_auth_id: 'device-1', user_code: 'ABCD-12345', interval: '5' })
  const pending = json(403, { error: { code: 'deviceauth_authorization_pending' } })
  const verifier = 'v'.repeat(43)
  const granted = json(200, { authorization_code: 'code-1', code_challenge: 'c', code_verifier: verifier })

  it('shows the code, waits an interval between questions, and exchanges with the vendor’s own verifier', async () => {
    const bench = signInBench()
    bench.web.next(asked, pending, json(404, {}), { kind: 'silent' }, json(502, {}), granted)
    bench.web.next(json(200, tokensFor('user-1', 'space-1')))
    const id = await bench.start({ provider: 'codex', method: 'device', label: 'Phone' })
    expect(bench.step(id)).toMatchObject({
      kind: 'device',
      url: 'https://auth.openai.com/codex/device',
      userCode: 'ABCD-12345',
    })
    expect(bench.web.requests.length).toBe(1)
    for (const questions of [1, 2, 3, 4, 5]) {
      bench.clock.advance(4_999)
      await settle()
      expect(bench.web.requests.length).toBe(questions)
      bench.clock.advance(1)
      await settle()
    }
    expect(bench.step(id)).toMatchObject({ kind: 'done', label: 'Phone', isNew: true })
    const exchange = new URLSearchParams(bench.web.requests[6]?.body ?? '')
    expect([exchange.get('redirect_uri'), exchange.get('code_verifier')]).toEqual([
      'https://auth.openai.com/deviceauth/callback',
      verifier,
    ])
    expect(bench.clock.waiting).toBe(0)
  })

  it.each([
    [json(404, {}), 'device codes are not enabled for this vendor; sign in with the browser instead'],
    [json(200, { device_auth_id: 'x', user_code: '<script>' }), 'the vendor’s answer held no device code'],
    [json(500, {}), 'the answer was HTTP 500'],
    [{ kind: 'silent' } as const, 'no answer came in time'],
  ])('fails in words: %#', async (answer, why) => {
    const bench = signInBench()
    bench.web.next(answer)
    const id = await bench.start({ provider: 'codex', method: 'device' })
    expect(bench.step(id)).toMatchObject({ kind: 'failed', sentence: `The sign-in did not succeed: ${why}.` })
  })

  it('asks no more once it is cancelled, or once the code is too old', async () => {
    const bench = signInBench()
    bench.web.next(asked).otherwise(() => pending)
    const first = await bench.start({ provider: 'codex', method: 'device' })
    bench.signIns.cancel(first)
    bench.clock.advance(10 * minuteMs)
    await settle()
    expect(bench.web.requests.length).toBe(1)
    bench.web.next(asked)
    const second = await bench.start({ provider: 'codex', method: 'device' })
    bench.clock.advance(15 * minuteMs)
    await settle()
    expect([bench.step(second), bench.clock.waiting]).toMatchObject([{ kind: 'failed', because: 'timeout' }, 0])
  })
})

it('refuses what a vendor has not: Claude in the browser, Codex by its program', () => {
  const bench = signInBench()
  expect([
    bench.signIns.start({ provider: 'claude', method: 'browser' }),
    bench.signIns.start({ provider: 'codex', method: 'program' }),
    bench.signIns.start({ provider: 'codex', method: 'browser', replaces: sourceId('nobody') }),
    bench.signIns.get('sign-in-9'),
  ]).toMatchObject([{ code: 'invalid_input' }, { code: 'invalid_input' }, { code: 'not_found' }, { code: 'not_found' }])
})
