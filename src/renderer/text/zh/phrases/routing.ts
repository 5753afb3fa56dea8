/** Who served a call and why, and where each account stands, in Chinese. */
import type { Phrases } from '../../phrases.ts'

/** What became of the call at the account that is told of. */
export const verbs: Phrases = {
  'served this call': '响应了这次调用',
  'was serving this call when the client left': '正在响应这次调用时客户端离开',
  'was serving this call when Pointsman ended': '正在响应这次调用时 Pointsman 结束',
  'began to serve this call and was cut off': '开始响应这次调用后被截断',
  'began to serve this call and reported a failure': '开始响应这次调用后报告了错误',
  'refused this call': '拒绝了这次调用',
  'refused this call last, and its answer was passed on unchanged': '最后拒绝了这次调用，其回答已原样转交',
  'refused this call last, and its answer was passed on in this client’s style':
    '最后拒绝了这次调用，其回答已按此客户端的接口转交',
}

/** Why it was that account; nothing where that isn't known. */
export const choices: Phrases = {
  '': '',
  ' as the next in the order': '，因为它是顺序中的下一个',
  ' because the address names it': '，因为地址指定了它',
  ' because this conversation is bound to it': '，因为此会话绑定在它上面',
  ' because the conversation it belongs to is bound to it': '，因为所属的会话绑定在它上面',
  ' because the conversation’s own account, another one, can not serve now': '，因为会话自己的账号现在无法提供服务',
  ' because the conversation’s own account, {wanted}, can not serve now':
    '，因为会话自己的账号 {wanted} 现在无法提供服务',
  ' because it stands first in the order': '，因为它排在最前',
  ' because it is the only one that can': '，因为只有它可用',
  ' because you moved this conversation': '，因为你移动了此会话',
  ' in listed order because nothing is known of the quotas': '，按列出的顺序，因为额度都还未知',
  ' because the account, to which the conversation was bound, is gone ({why})':
    '，因为会话绑定的账号已不可用（{why:codes}）',
  ' because {wanted}, to which the conversation was bound, is gone ({why})':
    '，因为会话绑定的账号 {wanted} 已不可用（{why:codes}）',
}

/** Who was tried before. */
export const afters: Phrases = {
  '': '',
  ' after {steps:steps}': '；此前尝试过 {steps}',
}

export const steps: Phrases = {
  '{step:attempts}, then {rest:steps}': '{step}，然后 {rest}',
  '{step:attempts}': '{step}',
}

export const attempts: Phrases = { '{label} ({what})': '{label}（{what}）' }

/** Why not each, in a refusal. */
export const standings: Phrases = {
  '{label}: {what}; {rest:standings}': '{label}：{what}；{rest}',
  '{label}: {what}': '{label}：{what}',
}

export const limits: Phrases = {
  '5-hour limit': '5 小时限额',
  'weekly limit': '每周限额',
  'monthly limit': '每月限额',
  limit: '限额',
  '{name} limit': '限额 {name}',
}

export const scopes: Phrases = { '': '', ' for {family} models': '（{family} 模型）' }

export const ends: Phrases = { '': '', ' until {time}': '，到 {time} 为止' }

export const windowNames: Phrases = {
  '5-hour window': '5 小时额度',
  'Weekly window': '每周额度',
  'Monthly window': '每月额度',
  'Usage limit': '用量限额',
  '5-hour window ({family})': '5 小时额度（{family}）',
  'Weekly window ({family})': '每周额度（{family}）',
  'Monthly window ({family})': '每月额度（{family}）',
  'Usage limit ({family})': '用量限额（{family}）',
  'Window {name}': '额度 {name}',
}

/** What stands before the words on translation. */
export const rooms: Phrases = { 'Ready.': '就绪。', '{percent} % left.': '剩 {percent}%。' }

export const routing: Phrases = {
  '{label} {verb:verbs}{choice:choices}{after:afters}.': '{label} {verb}{choice}{after}。',
  'The tokens were estimated here: the model’s host does not count them.': 'token 数在此估算：模型的主机不提供计数。',
  'The client left.': '客户端离开了。',
  'The client left while trying: {steps:steps}.': '尝试期间客户端离开：{steps}。',
  'Pointsman ended while trying.': 'Pointsman 在尝试期间结束。',
  'Pointsman ended while trying: {steps:steps}.': 'Pointsman 在尝试期间结束：{steps}。',
  'No account answered: nothing was tried.': '没有账号回答：没有尝试任何账号。',
  'No account answered: {steps:steps}.': '没有账号回答：{steps}。',

  'It answered.': '已回答。',
  'It paused its turn, and was asked to go on.': '它暂停了本轮，已请求其继续。',
  'It did not go on with its paused turn.': '它没有继续已暂停的本轮。',
  'Its answer was cut off before the end; the client saw the cut.': '回答在结束前被截断；客户端看到了中断。',
  'It reported a failure in the middle of its answer; the client saw it.': '回答中途报告了错误；客户端看到了。',
  'The client left before the answer was complete.': '回答完成前客户端离开。',
  'Pointsman ended before the answer was complete.': '回答完成前 Pointsman 结束。',
  'It answered with status {status}, which was passed on unchanged.': '以状态 {status} 回答，已原样转交。',
  'Its answer repeated the credential and was kept back.': '它的回答重复了凭据，已被扣下。',
  'It could not read thoughts of another account; they were left out.': '它无法读取另一个账号的思考内容；已去掉。',
  'It refused how long cache marks are kept; that was left out.': '它不接受缓存标记的保留时长；已去掉。',

  'The vendor refused this request itself, so no account was rested.': '厂商拒绝的是请求本身，因此没有让账号休息。',
  'The account was refused by its vendor: {why}.': '账号被厂商拒绝：{why}。',
  'The account can not pay for more: {why}.': '账号无法再付费：{why}。',
  'The host refused the request: {why}.': '主机拒绝了请求：{why}。',
  'The vendor is overloaded.': '厂商过载。',
  'The vendor does not offer this model to this account.': '厂商不向此账号提供该模型。',
  'The vendor does not know this model.': '厂商没有该模型。',
  'The vendor failed with status {status}.': '厂商以状态 {status} 出错。',
  'The vendor reported an error of its own instead of an answer.': '厂商报告了自身的错误，没有回答。',
  'The vendor refused the request for a reason that is the same everywhere.': '厂商拒绝了请求，原因在哪里都一样。',
  'The vendor asked to wait {seconds} s.': '厂商要求等待 {seconds} 秒。',
  'The vendor asked for a pause of {seconds} s; no window is used up.': '厂商要求暂停 {seconds} 秒；没有额度用完。',
  'The API key was rejected by its vendor.': 'API 密钥被厂商拒绝。',
  'The vendor no longer accepts this login; sign in again.': '厂商不再接受此登录；请重新登录。',
  'The vendor did not accept the login; it is renewed.': '厂商没有接受登录；正在续期。',
  'The vendor did not accept the login; its own store is read again.': '厂商没有接受登录；正在重新读取其存储。',
  'A limit is used up.': '有限额已用完。',
  'The {limit:limits}{scope:scopes} is used up{end:ends}.': '{limit}{scope}已用完{end}。',

  'The host could not be reached: {why}.': '无法连接主机：{why}。',
  'The certificate of the host is not trusted: {why}.': '主机的证书不受信任：{why}。',
  'The host sent an answer that is not valid HTTP.': '主机的回答不是有效的 HTTP。',
  'The proxy can not be used: {why}.': '无法使用代理：{why}。',
  'No connection could be opened: {why}.': '无法建立连接：{why}。',
  'The connection was lost after the request was sent.': '请求发出后连接断开。',
  'The answer was cut off before it began.': '回答在开始前被切断。',
  'The host did not begin to answer in time.': '主机没有及时开始回答。',
  'Nothing answers at {address}: {why}.': '{address} 没有响应：{why}。',

  'Switched off.': '已关闭。',
  'Not among the accounts of the key {key}.': '不在密钥 {key} 的账号之列。',
  'Signed out: {why}': '已退出登录：{why}',
  'The vault is locked.': '保管库已锁定。',
  'What the request builds on lies with another account.': '请求所依赖的内容在另一个账号处。',
  'Its plan does not include this model.': '其套餐不含此模型。',
  'Ready.': '就绪。',
  '{percent} % left.': '剩 {percent}%。',
  '{room:rooms} Translated from {from} to {to}.': '{room}从 {from} 转换为 {to}。',
  'It can not compact this conversation.': '它无法压缩此会话。',
  'It speaks another dialect than this client.': '它的接口与此客户端不同。',
  'It serves genuine Claude Code only.': '它只为真正的 Claude Code 服务。',
  'It serves the Codex CLI only.': '它只为 Codex CLI 服务。',
  'Its budget is switched off or gone.': '它的预算已关闭或不存在。',
  'Its budget is used up.': '它的预算已用完。',
  'No price is known for {model}.': '不知道 {model} 的价格。',
  '{window:windowNames} spent.': '{window}已用完。',
  'One trial request is under way.': '正在用一个请求试探。',
  '{left} % left; {kept} % are kept from background work.': '剩 {left}%；其中 {kept}% 不用于后台工作。',
  'Only {left} % left, too little to begin a conversation.': '只剩 {left}%，不足以开始新会话。',
  'One request is finding out what it has left.': '正在用一个请求了解余量。',
  'Its limit should have renewed; one request is finding out.': '它的限额应已重置；正在用一个请求确认。',
  'Others fail over to it; only {count} at a time until one succeeds.':
    '其他账号的调用正转到它；成功一次之前同时只放行 {count} 个。',
  'Another account of this vendor is at its limit, and you chose not to move on.':
    '此厂商的另一个账号已到限额，而你选择不换账号。',

  'Fallback: {label} was wanted. {why}': '回退：原定使用 {label}。{why}',
  'This conversation is bound to another account.': '此会话绑定在另一个账号上。',
  'The strategy gave no valid order; yours stood.': '策略没有给出有效的顺序；采用你的顺序。',
  'There is no strategy {id}; your order stood.': '没有策略 {id}；采用你的顺序。',
  '{label} served this call beyond its plan, which is paid for.': '{label} 超出套餐响应了这次调用，需要付费。',
  'Nothing would serve now.': '现在没有账号可用。',
  '{first} would serve now.': '现在会使用 {first}。',
  '{first} would serve now. Next, if that fails: {second}.': '现在会使用 {first}。如果失败，下一个是 {second}。',

  'nothing yet; add a source first': '目前没有；请先添加来源',
  'it does not serve this model': '它不提供此模型',
  'its limit is lifted': '限额解除',
  'the key allows none': '密钥不允许任何账号',
  'it was switched off or removed meanwhile': '它刚刚被关闭或删除',
  'nothing was tried': '没有尝试任何账号',
  'it has no access to this service': '它无权使用此服务',
  'its answer repeated the credential': '它的回答重复了凭据',
  'its vendor no longer accepts the login': '厂商不再接受它的登录',
  '{label} has no operation {operation}': '{label} 没有操作 {operation:operations}',
}

/** What an access key lacks. */
export const unbound: Phrases = {
  'has no route policy': '没有路由策略',
  'has a budget that is switched off or gone': '的预算已关闭或不存在',
}

/** What stands in place of a name that there is not. */
export const unnamed: Phrases = {
  'no model': '（未指定）',
  'another account': '另一个账号',
  'an account that is gone': '已不存在的账号',
  'this request': '此请求',
}
