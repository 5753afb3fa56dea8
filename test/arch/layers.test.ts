/** Who may import whom (docs/architecture.md); the third net beside the tsconfigs and the linter. */
import { describe, expect, test } from 'vitest'
import { sourceFiles } from './tree.ts'

interface Layer {
  readonly folder: string
  /** Beginnings of allowed imports, besides the layer's own files. */
  readonly allowed: readonly string[]
  readonly fewest: number
}

const ids = ['src/shared/ids.ts', 'src/shared/errors.ts']
const domain = ['src/main/domain/', ...ids]
const decisions = [
  'src/main/strategies/',
  'src/main/dialects/',
  'src/main/translate/',
  'src/main/providers/',
  ...domain,
]
const core = ['src/main/ports.ts', 'src/main/budget-ports.ts', 'src/main/state/', ...decisions]

const layers: readonly Layer[] = [
  { folder: 'src/shared', allowed: ['zod', '@orpc/contract'], fewest: 8 },
  { folder: 'src/main/domain', allowed: ids, fewest: 12 },
  { folder: 'src/main/strategies', allowed: domain, fewest: 15 },
  { folder: 'src/main/dialects', allowed: domain, fewest: 8 },
  { folder: 'src/main/translate', allowed: domain, fewest: 30 },
  { folder: 'src/main/providers', allowed: domain, fewest: 8 },
  { folder: 'src/main/state', allowed: core, fewest: 6 },
  { folder: 'src/main/flow', allowed: [...core, 'src/main/socket-ports.ts'], fewest: 15 },
  { folder: 'src/main/accounts', allowed: [...core, 'src/main/sign-in-ports.ts'], fewest: 8 },
  { folder: 'src/main/quota', allowed: [...core, 'src/main/accounts/'], fewest: 4 },
  { folder: 'src/main/rehearsal', allowed: [...core, 'src/main/flow/', 'src/main/quota/'], fewest: 4 },
  {
    folder: 'src/main/api',
    allowed: [
      ...core,
      'src/main/flow/',
      'src/main/accounts/',
      'src/main/quota/',
      'src/main/rehearsal/',
      'src/main/clients/',
      'src/shared/',
      '@orpc/server',
    ],
    fewest: 6,
  },
  {
    folder: 'src/main/adapters',
    allowed: [
      'src/main/ports.ts',
      'src/main/budget-ports.ts',
      'src/main/client-ports.ts',
      'src/main/sign-in-ports.ts',
      'src/main/socket-ports.ts',
      ...domain,
      'node:',
      'undici',
      'better-sqlite3',
      'keytar',
      'pino',
      'ws',
      '@lydell/node-pty',
      '@napi-rs/keyring',
    ],
    fewest: 20,
  },
  {
    folder: 'src/main/composition',
    allowed: [
      ...core,
      ...['accounts', 'adapters', 'api', 'clients', 'flow', 'practice'].map((name) => `src/main/${name}/`),
      'src/main/client-ports.ts',
      'src/main/sign-in-ports.ts',
      'node:',
    ],
    fewest: 10,
  },
  { folder: 'src/main/practice', allowed: ['src/main/ports.ts', ...domain, 'node:', 'ws'], fewest: 10 },
]

describe.each(layers)('$folder', ({ folder, allowed, fewest }) => {
  const files = sourceFiles(folder).filter((file) => file.path.endsWith('.ts'))

  test(`is seen whole: at least ${fewest} files`, () => {
    expect(files.length).toBeGreaterThanOrEqual(fewest)
  })

  test('imports only what its layer may', () => {
    const strays = files.flatMap((file) =>
      file.imports
        .filter((name) => !name.startsWith(`${folder}/`) && !allowed.some((prefix) => name.startsWith(prefix)))
        .map((name) => `${file.path} → ${name}`),
    )
    expect(strays).toEqual([])
  })
})

test('adapters do not import one another', () => {
  const folders = (path: string): string => path.split('/').slice(0, 4).join('/')
  const isFolder = (path: string): boolean => path.split('/').length > 4
  const strays = sourceFiles('src/main/adapters').flatMap((file) =>
    file.imports
      .filter((name) => name.startsWith('src/main/adapters/') && isFolder(name) && folders(name) !== folders(file.path))
      .map((name) => `${file.path} → ${name}`),
  )
  expect(strays).toEqual([])
})

test('only flow.ts, its explanation and its own stages import the numbered stages', () => {
  const strays = sourceFiles('src/main')
    .filter((file) => !file.path.startsWith('src/main/flow/'))
    .flatMap((file) =>
      file.imports.filter((name) => /\/flow\/\d\d-/.test(name)).map((name) => `${file.path} → ${name}`),
    )
  expect(strays).toEqual([])
})

test('electron is imported by the desktop shell and the preload only', () => {
  const strays = sourceFiles('src')
    .filter((file) => !/^src\/(main\/shell\/desktop|preload)\/|^src\/main\/index\.ts$/.test(file.path))
    .filter((file) => file.imports.includes('electron'))
  expect(strays.map((file) => file.path)).toEqual([])
})
