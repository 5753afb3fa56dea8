/** `pointsman keys folders …`: calls from a folder by a policy of their own. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type CommandLine, pick, usage } from './command-line.ts'
import { policyOf } from './key-options.ts'
import { folder } from './options.ts'
import { table } from './table.ts'

export function addFolders(line: CommandLine, keys: Command): void {
  const group = keys.command('folders').description('calls from a folder by a policy of their own')
  const find = async (name: string) => pick(await line.client.keys.list(), name, 'access key')
  const save = async (id: string, folders: readonly Rule[]): Promise<void> => {
    const changed = await line.client.keys.setPolicy({ id, folders: folders.map(written) })
    line.show(changed.folders, foldersText)
  }

  group
    .command('list')
    .argument('<key>', 'id or label')
    .description('the folders of a key')
    .action(async (name: string) => line.show((await find(name)).folders, foldersText))
  group
    .command('set')
    .argument('<key>', 'id or label')
    .argument('<folder>', 'this folder and what is in it; the longest counts', folder)
    .requiredOption('--policy <json>', 'such as {"mode":"strict","sources":["codex-work"]}')
    .description('give a folder a policy of its own')
    .action(async (name: string, path: string, { policy }: { readonly policy: string }) => {
      const { id, folders } = await find(name)
      const rule = { folder: resolve(path), policy: policyOf(policy) }
      await save(id, [...folders.filter((one) => one.folder !== rule.folder), rule])
    })
  group
    .command('remove')
    .argument('<key>', 'id or label')
    .argument('<folder>', 'as the list shows it', folder)
    .description('let the key’s own policy count there again')
    .action(async (name: string, path: string) => {
      const { id, folders } = await find(name)
      const left = folders.filter((one) => one.folder !== path && one.folder !== resolve(path))
      if (left.length === folders.length) throw usage(`The key has no folder ${path}`)
      await save(id, left)
    })
}

type Stored = Awaited<ReturnType<CommandLine['client']['keys']['list']>>[number]['folders'][number]
type Rule = Stored | ReturnType<typeof written>

/** A stored policy is one that the contract takes. */
function written({ folder: path, policy }: { readonly folder: string; readonly policy: object }) {
  return { folder: path, policy: policy as { mode: 'default' } }
}

const foldersText = (folders: readonly Stored[]): string =>
  folders.length === 0
    ? 'No folder has a policy of its own.'
    : table(
        [{ title: 'FOLDER' }, { title: 'POLICY' }],
        folders.map(({ folder: path, policy }) => [path, [policy.mode, ...(policy.sources ?? [])].join(' ')]),
      )
