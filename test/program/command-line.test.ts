/** Every command form that scripts may rely on, run as a process against a running practice program. */
import { beforeAll, describe, expect, test } from 'vitest'
import { account, callOnce, model, practiceProgram, profile } from './members-kit.ts'
import { runCommand } from './run-program.ts'

const program = practiceProgram()

const esc = '\u001b'

test('accounts import --keyring asks the keychain for CODEX_HOME’s login, and says what stops it', async () => {
  const args = ['accounts', 'import', 'codex', '--label', 'Kept', '--keyring', '--json']
  const none = await program().cli(args, { environment: { CODEX_HOME: '/nowhere/codex' } })
  // Without a session bus the program has no keychain to ask.
  expect([none.code, JSON.parse(none.stderr)]).toEqual([
    1,
    expect.objectContaining({ code: 'credential_unreadable', sentence: expect.stringContaining('keychain') }),
  ])
  const both = await program().cli([...args, '--path', '/nowhere/auth.json'])
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('Give one of')])
})

describe('with --json each form prints exactly its member’s output', () => {
  beforeAll(() => callOnce(program()))

  const forms: readonly { readonly args: readonly string[]; readonly member: string; readonly input?: unknown }[] = [
    { args: ['accounts', 'list'], member: 'accounts.list' },
    { args: ['profiles', 'list'], member: 'profiles.list' },
    { args: ['models', 'list'], member: 'models.pools' },
    { args: ['calls', 'list', '--limit', '2'], member: 'calls.page', input: { limit: 2 } },
    { args: ['calls', 'export', '--limit', '2'], member: 'calls.export', input: { limit: 2 } },
    { args: ['keys', 'list'], member: 'keys.list' },
    { args: ['quota', 'show'], member: 'quota.windows' },
    { args: ['quota', 'show', account], member: 'quota.windows', input: { sourceId: account } },
    { args: ['quota', 'calendar'], member: 'quota.calendar' },
    { args: ['connect'], member: 'clients.status' },
    { args: ['connect', 'codex', '--dry-run'], member: 'clients.preview', input: { client: 'codex' } },
    {
      args: ['connect', 'codex', '--keep-sign-in', '--dry-run'],
      member: 'clients.preview',
      input: { client: 'codex', way: 'base-url' },
    },
    {
      args: ['connect', 'sdk', '--shell', 'fish', '--dry-run'],
      member: 'clients.sdkPreview',
      input: { shell: 'fish' },
    },
    { args: ['quota', 'waste'], member: 'quota.waste', input: {} },
    { args: ['rpc', 'models.strategies', '{}'], member: 'models.strategies' },
    {
      args: ['models', 'explain', model, '--provider', 'codex'],
      member: 'models.explain',
      input: { providerId: 'codex', model, dialect: 'responses' },
    },
  ]

  test.each(forms)('$args is $member', async ({ args, member, input }) => {
    const printed = await program().json(args)
    expect(withoutAges(printed)).toEqual(withoutAges(await program().rpc(member, input)))
  })

  test('models explain tells a background conversation from a person’s', async () => {
    const args = ['models', 'explain', model, '--provider', 'codex', '--session', 'one', '--background']
    const input = { providerId: 'codex', model, dialect: 'responses', sessionId: 'one', class: 'background' }
    expect(await program().json(args)).toEqual(await program().rpc('models.explain', input))
  })

  test('quota refresh reads now and prints the windows; again within the minute it says so', async () => {
    const windows = await program().json<{ sourceId: string; source: string }[]>(['quota', 'refresh', account])
    expect(new Set(windows.map(({ sourceId }) => sourceId))).toEqual(new Set([account]))
    expect(windows.some(({ source }) => source === 'poll')).toBe(true)
    const again = await program().cli(['quota', 'refresh', account, '--json'])
    expect([again.code, JSON.parse(again.stderr).code]).toEqual([1, 'too_soon'])
  })

  test('status is app.snapshot', async () => {
    const { revision, ...rest } = await program().json<Record<string, unknown>>(['status'])
    expect(revision).toEqual(expect.any(Number))
    expect(await program().rpc('app.snapshot')).toMatchObject(rest)
  })

  test('calls show ID is calls.get', async () => {
    const { rows } = await program().json<{ rows: { id: string }[] }>(['calls', 'list'])
    const id = rows[0]?.id ?? ''
    expect(await program().json(['calls', 'show', id])).toEqual(await program().rpc('calls.get', { id }))
  })

  test('one value and one line where there is no terminal', async () => {
    const { stdout, stderr, code } = await program().cli(['accounts', 'list', '--json'])
    expect([code, stderr, stdout.trimEnd().includes('\n')]).toEqual([0, '', false])
  })

  test('--json and --data-dir are taken before and after any subcommand', async () => {
    const dataDir = program().dataDir
    for (const args of [
      ['--json', '--data-dir', dataDir, 'keys', 'list'],
      ['keys', '--json', 'list', '--data-dir', dataDir],
      ['keys', 'list', `--data-dir=${dataDir}`, '--json'],
    ]) {
      const done = await runCommand(args)
      expect([args, done.code, JSON.parse(done.stdout)]).toEqual([args, 0, await program().rpc('keys.list')])
    }
  })
})

/** Age grows from one asking to the next. */
const withoutAges = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, part) => (name === 'ageMs' ? 0 : part)))

describe('commands change things', () => {
  test('accounts rename, deactivate, activate, refresh by id and by label', async () => {
    expect(await program().json(['accounts', 'rename', account, 'Team'])).toMatchObject({ id: account, label: 'Team' })
    expect(await program().json(['accounts', 'deactivate', 'Team'])).toMatchObject({ id: account, state: 'inactive' })
    expect(await program().json(['accounts', 'activate', 'Team'])).toMatchObject({ id: account, state: 'ready' })
    expect(await program().json(['accounts', 'refresh', account])).toMatchObject({ id: account })
    expect(await program().json(['accounts', 'refresh'])).toHaveLength(4)
    await program().json(['accounts', 'rename', 'Team', 'Codex, team'])
  })

  test('T2.5 accounts import takes a credential from stdin only', async () => {
    const token = 'sk-ant-oat01-command-line-canary'
    const args = ['accounts', 'import', 'claude', '--label', 'Piped', '--setup-token']
    expect(await program().cli([...args, token, '--json'])).toMatchObject({
      code: 2,
      stderr: expect.not.stringContaining(token),
    })
    expect(await program().json([...args, '-'], { stdin: `${token}\n` })).toMatchObject({ id: 'piped', isNew: true })
    expect(await program().json(['accounts', 'sign-out', 'piped'])).toMatchObject({ state: 'signed-out' })
    expect(await program().json(['accounts', 'remove', 'piped'])).toEqual({ ok: true })
    const nothing = await program().cli(['accounts', 'import', 'codex', '--label', 'x', '--json'])
    expect([nothing.code, JSON.parse(nothing.stderr)]).toMatchObject([2, { code: 'usage' }])
  })

  test('profiles add, edit and remove', async () => {
    const add = [
      'profiles',
      'add',
      '--kind',
      'local',
      '--label',
      'Box',
      '--base-url',
      'http://127.0.0.1:9',
      '--dialect',
      'chat',
      'messages',
    ]
    const made = await program().json([...add, '--model', 'm1', 'm2=upstream-2', '--api-key', '-'], {
      stdin: 'box-secret-key-0123456789',
    })
    expect(made).toMatchObject({
      id: 'box',
      kind: 'local',
      dialects: ['messages', 'chat'],
      keyPreview: '…6789',
      models: [
        { id: 'm1', upstreamModel: 'm1' },
        { id: 'm2', upstreamModel: 'upstream-2' },
      ],
    })
    expect(await program().json(['profiles', 'edit', 'box', '--label', 'Chest', '--joins', 'codex'])).toMatchObject({
      label: 'Chest',
      joins: ['codex'],
      keyPreview: '…6789',
      models: [{ id: 'm1' }, { id: 'm2' }],
    })
    expect(await program().json(['profiles', 'remove', 'Chest'])).toEqual({ ok: true })
  })

  test('models order with tiers, disable, enable, strategy, test', async () => {
    const order = ['models', 'order', model, `${profile}:${model}`, '/', `codex-personal:${model}`]
    const ordered = await program().json<{ tiers: { backendId: string }[][] }>(order)
    expect(ordered.tiers.map((tier) => tier.map(({ backendId }) => backendId))).toEqual([
      [`${profile}:${model}`],
      [`codex-personal:${model}`, `codex-team:${model}`],
    ])
    expect(await program().json(['models', 'disable', `${profile}:${model}`])).toMatchObject([
      { tiers: [[{ enabled: false }], {}] },
    ])
    expect(await program().json(['models', 'enable', `${profile}:${model}`, '--pool', model])).toMatchObject([
      { tiers: [[{ enabled: true }], {}] },
    ])
    expect(await program().json(['models', 'strategy', model, 'ordered'])).toMatchObject({ strategy: 'ordered' })
    expect(await program().json(['models', 'strategy', model, 'default'])).toMatchObject({ usesDefaultStrategy: true })
    expect(await program().json(['models', 'test', `${profile}:${model}`])).toMatchObject({ ok: true })
    const foreign = await program().cli(['models', 'order', 'no-such-model', 'a:b', '--json'])
    expect([foreign.code, JSON.parse(foreign.stderr)]).toMatchObject([1, { code: 'not_found' }])
  })

  test('keys create, rotate, disable, enable, revoke by label', async () => {
    const made = await program().json<{ id: string; secret: string }>(['keys', 'create', '--label', 'cli'])
    const renewed = await program().json<{ id: string; secret: string }>(['keys', 'rotate', 'cli'])
    expect([renewed.id, renewed.secret === made.secret]).toEqual([made.id, false])
    expect(await program().json(['keys', 'disable', 'cli'])).toMatchObject({ state: 'disabled' })
    expect(await program().json(['keys', 'enable', made.id])).toMatchObject({ state: 'active' })
    expect(await program().json(['keys', 'revoke', 'cli'])).toMatchObject({ state: 'revoked' })
    const policy = '{"mode":"strict","sources":["codex-team"]}'
    expect(await program().json(['keys', 'create', '--label', 'strict', '--policy', policy])).toMatchObject({
      policy: JSON.parse(policy),
    })
  })

  test('keys rotate default also renews the file of the default key', async () => {
    const { secret } = await program().json<{ secret: string }>(['keys', 'rotate', 'default'])
    expect(program().key()).toBe(secret)
  })

  test('rpc reads its input from an argument or from stdin', async () => {
    expect(await program().json(['rpc', 'settings.set', '{"attempts":4}'])).toMatchObject({ attempts: 4 })
    expect(await program().json(['rpc', 'settings.set', '-'], { stdin: '{"attempts":3}' })).toMatchObject({
      attempts: 3,
    })
    for (const [member, code] of [
      ['app.nope', 'not_found'],
      ['toString.call', 'not_found'],
      ['app', 'not_found'],
    ] as const) {
      const done = await program().cli(['rpc', member, '--json'])
      expect([member, done.code, JSON.parse(done.stderr).code]).toEqual([member, 1, code])
    }
  })

  test('doctor ends with 0 when all is well and with 1 when something is not', async () => {
    expect(await program().json(['doctor'])).toMatchObject({ ok: true })
    await program().rpc('app.pause')
    const paused = await program().cli(['doctor', '--json'])
    expect([paused.code, JSON.parse(paused.stdout)]).toMatchObject([1, { ok: false }])
    await program().rpc('app.resume')
  })
})

describe('for people', () => {
  test.each([
    [['status'], /^Pointsman .* is running\. Practice mode/],
    [['accounts', 'list'], /^ID +LABEL +PROVIDER/],
    [['profiles', 'list'], /^ID +LABEL +KIND/],
    [['models', 'list'], /^MODEL +STRATEGY +TIER/],
    [['models', 'explain', model], /would serve now/],
    [['calls', 'list'], /^STARTED +OUTCOME/],
    [['keys', 'list'], /^LABEL +KEY +STATE/],
    [['quota', 'show'], /^ACCOUNT +WINDOW/],
    [['quota', 'forecast'], /^ACCOUNT +WINDOW +LEFT +PER HOUR +RUNS OUT +THEN/],
    [['quota', 'calendar'], /^RENEWS +ACCOUNT/],
    [['quota', 'waste'], /^\(none\)$/m],
    [['doctor'], /^CHECK/],
  ])('%j is a text', async (args, expected) => {
    const done = await program().cli(args)
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toMatch(expected)
    expect(done.stdout).not.toContain('undefined')
    expect(done.stdout).not.toContain('[object')
  })

  test('calls show tells who served, each attempt and every step', async () => {
    await callOnce(program())
    const { rows } = await program().json<{ rows: { id: string; sentence: string }[] }>([
      'calls',
      'list',
      '--limit',
      '1',
    ])
    const { stdout } = await program().cli(['calls', 'show', rows[0]?.id ?? ''])
    for (const part of [rows[0]?.sentence ?? '', 'ATTEMPT', 'SEAT', 'STAGE', 'admission', 'relay'])
      expect(stdout).toContain(part)
  })

  test('calls export prints a JSON line a call, over all pages', async () => {
    const { total } = await program().rpc<{ total: number }>('calls.page', {})
    const { stdout } = await program().cli(['calls', 'export'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).call.id)
    expect(lines).toHaveLength(total)
    expect(lines).toEqual([...lines].sort((a, b) => Number(b) - Number(a)))
  })

  test('T4.5 foreign text reaches the terminal without control characters, and JSON escapes them', async () => {
    const hostile = `gpt${esc}]0;title\u0007${esc}[2J\u009b31m\u202e`
    const answer = await fetch(`${program().address}/any/v1/responses`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${program().key()}`,
        'content-type': 'application/json',
        'user-agent': 'evil/1',
      },
      body: JSON.stringify({ model: hostile, input: [{ role: 'user', content: 'x' }], stream: false }),
    })
    await answer.text()
    const { rows } = await program().json<{ rows: { id: string; requestedModel: string }[] }>([
      'calls',
      'list',
      '--limit',
      '1',
    ])
    expect(rows[0]?.requestedModel).toBe(hostile)
    // What a terminal obeys: C0 but tab and line feed, C1, direction marks.
    const obeyed = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u
    expect(obeyed.test(hostile)).toBe(true)
    for (const args of [
      ['calls', 'list'],
      ['calls', 'show', rows[0]?.id ?? ''],
      ['calls', 'list', '--json'],
      ['calls', 'export'],
    ]) {
      const { stdout, stderr } = await program().cli(args)
      expect([args, obeyed.exec(stdout + stderr)?.[0]]).toEqual([args, undefined])
    }
  })

  test('an error is a sentence and what to do next', async () => {
    const done = await program().cli(['keys', 'disable', 'nobody'])
    expect(done).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no access key nobody.\nList what exists and try again.\n',
    })
  })
})

test('without a running program every command ends with 69', async () => {
  for (const args of [['status'], ['accounts', 'list'], ['rpc', 'app.snapshot'], ['keys', 'rotate', 'default']]) {
    const done = await runCommand([...args, '--json', '--data-dir', `${program().dataDir}-none`])
    expect([args, done.code, JSON.parse(done.stderr).code]).toEqual([args, 69, 'not_running'])
  }
})

test('the data folder follows XDG_DATA_HOME, HOME and --practice', async () => {
  const look = async (args: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> => {
    const { stdout } = await runCommand(['doctor', '--json', ...args], { environment })
    return JSON.parse(stdout).checks[0].sentence
  }
  expect(await look([], { HOME: '/nowhere' })).toContain('/nowhere/.local/share/pointsman is made')
  expect(await look(['--practice'], { HOME: '/nowhere' })).toContain('/nowhere/.local/share/pointsman-practice is made')
  expect(await look([], { HOME: '/nowhere', XDG_DATA_HOME: '/xdg' })).toContain('/xdg/pointsman is made')
  // A relative one is to be ignored, says the XDG specification.
  expect(await look([], { HOME: '/nowhere', XDG_DATA_HOME: 'xdg' })).toContain(
    '/nowhere/.local/share/pointsman is made',
  )
})
