/** What is asked of every competitor, and the bodies that it is asked with. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gateways } from './gateways.mjs'

/** The names tell the upstream what to answer (bench/tools/upstream.c). */
export const models = ['mock-json', 'mock-s20-d0', 'mock-s200-d0', 'mock-s100-d20']

const smallBytes = 1_000
const sizes = { '1k': smallBytes, '100k': 100_000, '2m': 2_000_000, '20m': 20_000_000 }

const json = (connections, seconds) => ({ connections, seconds, most: 1_000_000, body: 'mock-json-1k' })
const stream = (connections, seconds) => ({ connections, seconds, most: 1_000_000, body: 'mock-s20-d0', events: 20 })
const large = (size, most, seconds) => ({ connections: 1, seconds, most, body: `mock-json-${size}` })

/**
 * Every case ends after `most` requests or `seconds`, whichever comes first; `rounds` caps how often it is repeated.
 * The paced ones are 256 streams of 100 events, 20 ms apart; the second has a 20 MB request arriving meanwhile.
 */
export const cases = {
  'json, 1 connection': json(1, 0.8),
  'json, 16 connections': json(16, 1),
  'json, 64 connections': json(64, 1),
  'json, 256 connections': json(256, 1.2),
  'stream, 1 connection': stream(1, 0.7),
  'stream, 16 connections': stream(16, 0.8),
  'stream, 64 connections': stream(64, 0.8),
  'stream, 256 connections': stream(256, 1),
  'body 1 KB': large('1k', 400, 0.4),
  'body 100 KB': large('100k', 200, 0.6),
  'body 2 MB': large('2m', 40, 0.8),
  'body 20 MB': large('20m', 8, 1.5),
  'four bodies of 20 MB at once': { connections: 4, seconds: 4, most: 8, body: 'mock-json-20m', rounds: 1 },
  '256 paced streams': { connections: 256, seconds: 8, most: 256, body: 'mock-s100-d20', events: 100, rounds: 5 },
  '256 paced streams beside 20 MB': {
    ...{ connections: 256, seconds: 8, most: 256, body: 'mock-s100-d20', events: 100, rounds: 3 },
    beside: { connections: 1, seconds: 3, most: 1, body: 'mock-json-20m' },
  },
}

/** The pace of the paced streams. */
export const paceMs = 20

const words =
  'the quick brown fox jumps over a lazy dog while "quoting" code\nfunction add(a, b) {}\n// späte Übung 漢字 '

/** A conversation of about `bytes`, the model first as clients write it. */
function conversation(model, bytes, prefix = '') {
  const messages = []
  const fixed = { model: `${prefix}${model}`, stream: model !== 'mock-json', max_tokens: 4_096 }
  for (let left = bytes - 150; left > 0; left -= 4_100) {
    const text = words.repeat(60).slice(0, Math.min(left, 4_000))
    messages.push({ role: messages.length % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text }] })
  }
  return JSON.stringify({ ...fixed, messages })
}

/** Writes every body into `folder`; returns the path of one by its name and what stands before the model's. */
export function writeBodies(folder) {
  mkdirSync(folder, { recursive: true })
  const path = (name, prefix = '') => join(folder, `${prefix}${name}.json`)
  for (const [size, bytes] of Object.entries(sizes))
    writeFileSync(path(`mock-json-${size}`), conversation('mock-json', bytes))
  for (const model of models.slice(1)) writeFileSync(path(model), conversation(model, smallBytes))
  for (const { prefix } of gateways) {
    writeFileSync(path('mock-json-1k', prefix), conversation('mock-json', smallBytes, prefix))
  }
  return path
}
