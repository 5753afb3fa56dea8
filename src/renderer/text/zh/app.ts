/** Chinese texts of the frame. */
import type { Texts } from '../en.ts'

export const app: Texts['app'] = {
  name: 'Pointsman',
  tabs: { profiles: '账号', models: '模型', calls: '调用记录' },
  routing: '正在路由',
  paused: '已暂停',
  pauseRouting: '暂停路由',
  resumeRouting: '恢复路由',
  routingPaused: '路由已暂停，恢复之前会拒绝所有调用。',
  routingResumed: '路由已恢复。',
  address: '客户端地址',
  settings: '设置',
  practice: '练习模式：所有账号和回答都是模拟的，没有数据离开本机。',
  practicePanel: '试一个故障',
  connecting: '正在连接 Pointsman…',
  lost: '与 Pointsman 的连接已断开。当前显示的是断开前的内容，正在自动重试。',
  needsLinkTitle: '此页面需要新的链接',
  needsLink: '运行下面的命令并打开它给出的链接。链接只能用一次，一分钟内有效。',
  savingStopped: '调用记录没有保存：',
  repaired: (file, because, rows, asideName) =>
    `${file} 已损坏（${because}）。已恢复 ${rows} 行；损坏的文件保留为 ${asideName}。`,
  vaultClosed: '保管库没有打开：',
  unsaved: '有一次登录暂时只在内存中：',
  olderVault: '保险库文件比原来的旧：有人放回了较早的文件。其中的登录会照常尝试；被拒绝时请重新登录。',
  beginVault: '新建保险库…',
  beginVaultTitle: '新建保险库',
  beginVaultText:
    '仅在密钥或口令丢失时使用。现有文件会改名，不会删除任何内容，但每个账号都要重新登录，每个 API 密钥都要重新输入。',
  beginVaultNow: '新建保险库',
  clockOff: (length, isAhead) => `本机时钟比厂商${isAhead ? '快' : '慢'} ${length}。请校准：登录和重置时间都以它为准。`,
  keepsOldCalls: '本机时钟比上次已知的时间快很多。在确认之前，不会按时间删除旧的调用记录。',
  unlock: '重试',
}
