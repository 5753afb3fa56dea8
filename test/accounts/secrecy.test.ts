/** Properties: whatever vendors, disks and files do, no token text reaches a problem, a log line or an account's record. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeProfile } from '../../src/main/accounts/profile.ts'
import { readSetupToken } from '../../src/main/accounts/read-claude.ts'
import { readCredential } from '../../src/main/accounts/read-credential.ts'
import type { Credential } from '../../src/main/domain/credential.ts'
import type { UpstreamFailure, WebAnswer, WebRequest } from '../../src/main/ports.ts'
import type { Problem } from '../../src/shared/errors.ts'
import { credentialRef } from '../../src/shared/ids.ts'
import { bench, HandWeb, hourMs, json, minuteMs, oauth, startMs, work } from './kit.ts'

const canary = 'CANARY'
const isCredential = (given: Credential | Problem | null): boolean => given !== null && 'kind' in given

/** Answers that repeat what was sent, in every place a body has. */
const echoes: readonly ((request: WebRequest) => WebAnswer | UpstreamFailure)[] = [
  ({ body }) => json(400, { error: 'invalid_grant', error_description: body }),
  ({ body }) => json(401, { error: { code: body, type: body, message: body } }),
  ({ body }) => json(401, { error: { code: 'refresh_token_reused', message: body } }),
  ({ body }) => json(429, { error: body }, ['retry-after', body ?? '']),
  ({ body }) => ({ status: 500, headers: ['x-echo', body ?? ''], text: `<html>${body}` }),
  ({ body }) => ({ status: 200, headers: [], text: `${body} and no JSON` }),
  () => json(200, { access_token: `${canary}-a2`, refresh_token: `${canary}-r2`, expires_in: 600 }),
  () => json(200, { access_token: `${canary}-a3\r\nx: 1`, refresh_token: `${canary}-r3` }),
  () => ({ kind: 'lost' }),
  () => ({ kind: 'silent' }),
  () => ({ kind: 'unreachable', why: 'refused' }),
]

const steps = fc.array(
  fc.oneof(
    fc.constantFrom('ask', 'force', 'check', 'full', 'free', 'rewrite', 'remove-record'),
    fc.integer({ min: 1, max: 10 * hourMs }),
  ),
  { maxLength: 30 },
)

describe('no token text', () => {
  it('leaves the Refresher but in a credential', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.infiniteStream(fc.nat(echoes.length - 1)),
        fc.boolean(),
        async (script, picks, isCodex) => {
          const web = new HandWeb().otherwise((request) =>
            (echoes[picks.next().value ?? 0] as (typeof echoes)[0])(request),
          )
          const first = oauth({
            accessToken: `${canary}-a1`,
            refreshToken: `${canary}-r1`,
            expiresAtMs: startMs + hourMs,
          })
          const { refresher, clock, vault, log, sources, now } = bench(
            first,
            { provider: isCodex ? 'codex' : 'claude' },
            web,
          )
          const said: unknown[] = []
          let used = first.accessToken
          for (const step of script) {
            if (typeof step === 'number') clock.advance(step)
            else if (step === 'check') await refresher.renewDue()
            else if (step === 'full' || step === 'free') vault.isFull = step === 'full'
            else if (step === 'rewrite')
              vault.records.set(credentialRef(work), { ...first, refreshToken: `${canary}-r9` })
            else if (step === 'remove-record') vault.records.delete(credentialRef(work))
            else {
              const given = await refresher.tokenFor(now(), step === 'force' ? { force: used } : {})
              if (!isCredential(given)) said.push(given)
              else if (given !== null && 'accessToken' in given) used = given.accessToken
            }
          }
          expect(JSON.stringify([said, log.lines, sources.all()])).not.toContain(canary)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is in what a refused import says', () => {
    const leaf = fc.oneof(fc.constant(canary), fc.constant(`sk-ant-oat01-${canary}\n`), fc.integer(), fc.constant(null))
    const names = fc.constantFrom(
      'claudeAiOauth',
      'accessToken',
      'refreshToken',
      'tokens',
      'access_token',
      'auth_mode',
      'OPENAI_API_KEY',
      'mcpOAuth',
    )
    const { file } = fc.letrec((tie) => ({
      file: fc.oneof({ maxDepth: 3 }, leaf, fc.dictionary(names, tie('file'), { maxKeys: 5 })),
    }))
    fc.assert(
      fc.property(file, fc.constantFrom('claude', 'codex'), fc.boolean(), (value, vendor, asText) => {
        const given = readCredential(vendor, asText ? JSON.stringify(value) : value, startMs)
        if ('code' in given) expect(JSON.stringify(given)).not.toContain(canary)
        const pasted = readSetupToken(JSON.stringify(value), startMs)
        if ('code' in pasted) expect(JSON.stringify(pasted)).not.toContain(canary)
      }),
      { numRuns: 1_000 },
    )
  })

  it('is in what a refused profile says', () => {
    const key = fc.constantFrom(
      `sk-ant-api03-${canary}`,
      `sk-ant-oat01-${canary}`,
      `sk-proj-${canary}`,
      `${canary} ${canary}`,
      canary,
    )
    const baseUrl = fc.constantFrom(
      'https://gateway.example.test',
      `https://${canary}@x.test`,
      `https://x.test?key=${canary}`,
      'http://x.test',
    )
    fc.assert(
      fc.property(key, baseUrl, fc.constantFrom(null, `socks5://u:${canary}@x`), (apiKey, url, proxy) => {
        const made = makeProfile(
          { kind: 'api', label: 'x', dialects: ['chat'], baseUrl: url, apiKey, proxy, models: [] },
          new Set(),
          startMs,
        )
        if ('code' in made) expect(JSON.stringify(made)).not.toContain(canary)
        else expect(JSON.stringify(made.source)).not.toContain(canary)
      }),
    )
  })
})

describe('a refresh token', () => {
  it('is never sent twice unless its outcome was known to be nothing, or a try was due', async () => {
    const answers = fc.array(fc.constantFrom('new', 'lost', '503', 'unreachable'), { minLength: 1, maxLength: 20 })
    const waits = fc.array(fc.integer({ min: 1, max: 3 * hourMs }), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(answers, waits, async (script, moves) => {
        let issued = 0
        const sent: { token: string; atMs: number; outcome: string }[] = []
        const { refresher, clock, now, web } = bench(oauth({ expiresAtMs: startMs + hourMs }))
        web.otherwise(({ body }) => {
          const outcome = script[sent.length % script.length] as string
          sent.push({ token: JSON.parse(body ?? '').refresh_token, atMs: clock.monotonicMs, outcome })
          if (outcome === 'lost') return { kind: 'lost' }
          if (outcome === '503') return json(503, {})
          if (outcome === 'unreachable') return { kind: 'unreachable', why: 'refused' }
          issued += 1
          return json(200, { access_token: `a${issued}`, refresh_token: `r${issued}`, expires_in: 3_600 })
        })
        for (const move of moves) {
          clock.advance(move)
          await Promise.all([refresher.renewDue(), refresher.tokenFor(now()), refresher.tokenFor(now())])
        }
        sent.forEach((one, at) => {
          const next = sent[at + 1]
          if (next?.token !== one.token) return
          expect(one.outcome).not.toBe('new')
          const least = one.outcome === 'lost' ? minuteMs : 4_000
          expect(next.atMs - one.atMs).toBeGreaterThanOrEqual(least)
        })
        expect(new Set(sent.filter(({ outcome }) => outcome === 'new').map(({ token }) => token)).size).toBe(issued)
      }),
      { numRuns: 300 },
    )
  })
})
