/** Sentences of the program that are put together of parts, each with the Chinese that a window shows. */

export const examples: readonly (readonly [english: string, chinese: string])[] = [
  [
    'The input is not valid: label: must not be empty; amount: at most 9.',
    '输入无效：名称：不能为空；金额：不能大于 9。',
  ],
  ['The input is not valid: note: at most 7 characters; at least 7.', '输入无效：原因：最多 7 个字符；不能小于 7。'],
  ['The input is not valid: amount: less than 7; there is no x.', '输入无效：金额：必须小于 7；没有 x 这个字段。'],
  ['The input is not valid: amount: more than 7.', '输入无效：金额：必须大于 7。'],
  ['A served this call.', 'A 响应了这次调用。'],
  [
    'claude-home served this call as the next in the order after claude-work (The 5-hour limit is used up until 2026-11-30 07:00 UTC).',
    'claude-home 响应了这次调用，因为它是顺序中的下一个；此前尝试过 claude-work（5 小时限额已用完，到 2026-11-30 07:00 UTC 为止）。',
  ],
  [
    'C served this call because it stands first in the order after A (The vendor is overloaded), then B (The weekly limit for opus models is used up).',
    'C 响应了这次调用，因为它排在最前；此前尝试过 A（厂商过载），然后 B（每周限额（opus 模型）已用完）。',
  ],
  [
    'A was serving this call when the client left because this conversation is bound to it.',
    'A 正在响应这次调用时客户端离开，因为此会话绑定在它上面。',
  ],
  [
    'A was serving this call when Pointsman ended because the address names it.',
    'A 正在响应这次调用时 Pointsman 结束，因为地址指定了它。',
  ],
  [
    'A began to serve this call and was cut off because it is the only one that can.',
    'A 开始响应这次调用后被截断，因为只有它可用。',
  ],
  [
    'A began to serve this call and reported a failure because you moved this conversation.',
    'A 开始响应这次调用后报告了错误，因为你移动了此会话。',
  ],
  [
    'A refused this call because the conversation it belongs to is bound to it.',
    'A 拒绝了这次调用，因为所属的会话绑定在它上面。',
  ],
  [
    'A refused this call last, and its answer was passed on unchanged in listed order because nothing is known of the quotas.',
    'A 最后拒绝了这次调用，其回答已原样转交，按列出的顺序，因为额度都还未知。',
  ],
  [
    'A refused this call last, and its answer was passed on in this client’s style.',
    'A 最后拒绝了这次调用，其回答已按此客户端的接口转交。',
  ],
  [
    'B served this call because the conversation’s own account, A, can not serve now.',
    'B 响应了这次调用，因为会话自己的账号 A 现在无法提供服务。',
  ],
  [
    'B served this call because the conversation’s own account, another one, can not serve now.',
    'B 响应了这次调用，因为会话自己的账号现在无法提供服务。',
  ],
  [
    'B served this call because A, to which the conversation was bound, is gone (signed-out).',
    'B 响应了这次调用，因为会话绑定的账号 A 已不可用（已退出登录）。',
  ],
  [
    'B served this call because the account, to which the conversation was bound, is gone (exhausted:weekly).',
    'B 响应了这次调用，因为会话绑定的账号已不可用（每周额度已用完）。',
  ],
  [
    'The client left while trying: A (The vendor is overloaded), then B (The client left).',
    '尝试期间客户端离开：A（厂商过载），然后 B（客户端离开了）。',
  ],
  ['Pointsman ended while trying.', 'Pointsman 在尝试期间结束。'],
  [
    'Pointsman ended while trying: A (It answered with status 500, which was passed on unchanged).',
    'Pointsman 在尝试期间结束：A（以状态 500 回答，已原样转交）。',
  ],
  [
    'No account answered: A (The host could not be reached: nothing listens there).',
    '没有账号回答：A（无法连接主机：那里没有程序在监听）。',
  ],
  ['No account answered: nothing was tried.', '没有账号回答：没有尝试任何账号。'],

  ['The vendor asked to wait 3 s.', '厂商要求等待 3 秒。'],
  ['The vendor asked for a pause of 60 s; no window is used up.', '厂商要求暂停 60 秒；没有额度用完。'],
  ['The vendor did not accept the login; it is renewed.', '厂商没有接受登录；正在续期。'],
  ['The vendor did not accept the login; its own store is read again.', '厂商没有接受登录；正在重新读取其存储。'],
  ['The monthly limit is used up.', '每月限额已用完。'],
  ['The credits limit is used up.', '限额 credits 已用完。'],

  ['5-hour window spent.', '5 小时额度已用完。'],
  ['Weekly window (opus) spent.', '每周额度（opus）已用完。'],
  ['Monthly window spent.', '每月额度已用完。'],
  ['Usage limit spent.', '用量限额已用完。'],
  ['Window credits spent.', '额度 credits 已用完。'],
  ['Ready. Translated from Messages to Chat Completions.', '就绪。从 Messages 转换为 Chat Completions。'],
  ['62 % left. Translated from Responses to Messages.', '剩 62%。从 Responses 转换为 Messages。'],
  ['A would serve now.', '现在会使用 A。'],
  ['A would serve now. Next, if that fails: B.', '现在会使用 A。如果失败，下一个是 B。'],
  ['Fallback: A was wanted. Weekly window spent.', '回退：原定使用 A。每周额度已用完。'],
  ['Signed out: its vendor no longer accepts the login', '已退出登录：厂商不再接受它的登录'],

  [
    'Every account for gpt-5.5 is used up: A: Weekly window spent; B: 5-hour window spent.',
    'gpt-5.5 的账号都已用完：A：每周额度已用完；B：5 小时额度已用完。',
  ],
  [
    'No account for this request can serve now: A: Signed out: you signed it out; B: The vault is locked.',
    '现在没有账号能提供此请求：A：已退出登录：你退出了登录；B：保管库已锁定。',
  ],
  ['No source serves the model no model here.', '这里没有来源提供模型（未指定）。'],
  [
    'The earlier answer or container that this request builds on lies with an account that is gone, which can not serve now.',
    '此请求所依赖的先前回答或容器在已不存在的账号处，而它现在无法提供服务。',
  ],
  [
    'The earlier answer or container that this request builds on lies with another account, which can not serve now.',
    '此请求所依赖的先前回答或容器在另一个账号处，而它现在无法提供服务。',
  ],
  ['Nothing would serve now.', '现在没有账号可用。'],
  ['The access key laptop is disabled.', '访问密钥 laptop 已停用。'],
  ['The access key laptop may not use the operation compact.', '访问密钥 laptop 不允许使用操作压缩。'],
  ['The access key laptop already has 2 calls running.', '访问密钥 laptop 已有 2 个调用在进行。'],
  ['The access key laptop has no route policy.', '访问密钥 laptop 没有路由策略。'],
  ['The access key laptop has a budget that is switched off or gone.', '访问密钥 laptop 的预算已关闭或不存在。'],
  ['The pool gpt-5.5 was changed meanwhile.', '模型池 gpt-5.5 刚刚被更改。'],
  ['There is no account claude-1.', '没有账号 claude-1。'],
  ['The input is not valid: a key that is expired can not become active.', '输入无效：已过期的密钥不能变为有效。'],

  ['A answered and lists gpt-5.5.', 'A 有回答，并列出 gpt-5.5。'],
  [
    'A answered but doesn’t list gpt-5.5. The vault could not be saved: the disk is full.',
    'A 有回答，但没有列出 gpt-5.5。无法保存保管库：磁盘已满。',
  ],
  [
    'Pointsman now renews this login. The copy that the vendor’s program still holds stops working once either of the two is renewed: sign in there again with `codex login`, so that each has a login of its own.',
    '今后由 Pointsman 为此登录续期。官方程序仍持有的副本在任一方续期后就会失效：请在那里用 `codex login` 重新登录，让两者各有自己的登录。',
  ],
  [
    'The keychain does not answer: no keychain was found (no such library).',
    '钥匙串没有响应：没有找到钥匙串（no such library）。',
  ],
  ['the vault was made with passphrase', '保管库由口令生成'],
  ['its key is not in this passphrase file', '它的密钥不在此口令文件中'],
  ['the key file holds another key', '密钥文件中是另一个密钥'],
  ['the keychain did not give back the key just stored', '钥匙串没有返回刚存入的密钥'],

  ['reasoning dropped (messages): dropped.', '去掉先前的思考（messages）。'],
  ['max tokens clamped (max_tokens): clamped.', '调整输出上限（max_tokens）。'],
  ['seed dropped (seed): dropped.', '去掉 seed（seed）。'],
  ['citations dropped (its answer).', '去掉引用标注（回答中）。'],
  [
    'How much a token takes is not known for A weekly, B weekly and 3 more; there the quota stays as it was read.',
    '不知道 A weekly, B weekly 等另外 3 个的每个 token 占多少额度；那里的额度按读到的保持不变。',
  ],
]
