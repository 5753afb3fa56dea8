/** Simplified Chinese texts of the further ways to connect a client, of the lines for SDKs, and of what an older program left. */
import type { Texts } from '../en.ts'

export const connecting: Texts['connecting'] = {
  way: '方式',
  ways: { own: '作为单独的 provider', 'base-url': '只改地址' },
  wayHints: {
    own: '始终使用同一个 provider 标识，历史记录不会消失。此时 Codex 不使用 ChatGPT 登录。',
    'base-url': 'Codex 保留自己的 provider 和 ChatGPT 登录，密钥写在地址里。',
  },
  byAddress: '只改地址',

  folderAction: '连接某个文件夹…',
  folderTitle: '在一个文件夹中连接 Claude Code',
  folder: '文件夹',
  folderHint: '请写完整路径：/home/you/shop。它的本地设置会得到单独的密钥，你可以为该密钥设定策略。',
  folderCare: '此后该文件含有密钥：不要把它放进代码仓库。',
  look: '显示这些行',
  inFolder: (client, folder) => `${client}（${folder}）`,

  sdks: '厂商 SDK',
  sdksText: 'OpenAI 和 Anthropic，通过环境变量',
  sdksNothing: '不写入任何文件',
  sdkAction: '显示设置行…',
  sdkTitle: '厂商 SDK 的设置行',
  shell: 'Shell',
  shells: { posix: 'sh, bash, zsh', fish: 'fish', powershell: 'PowerShell' },
  sdkText: '将新建一个密钥，只在这些行中显示这一次。',
  sdkMade: (key) => `密钥名为 ${key}。请现在复制：只显示这一次。`,
  makeKey: '新建密钥',
  copyLines: '复制这些行',
  lines: 'Shell 设置行',

  adoptAction: '接管 clovapi 的数据…',
  adoptTitle: '接管 clovapi 的数据',
  adoptText: '旧程序 clovapi 在这里留下了这些文件。文件保持原样；接管两次与一次相同。',
  adoptDone: '每个文件的结果如下。',
  adoptFiles: 'clovapi 的文件',
  adoptColumns: { file: '文件', outcome: '结果', why: '原因' },
  adoptOutcomes: { new: '可以接管', adopted: '已接管', known: '已在这里', unknown: '保持原样' },
  adoptNow: '接管',
}
