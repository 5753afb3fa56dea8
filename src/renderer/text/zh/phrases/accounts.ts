/** Sign-ins, renewals, accounts, profiles, keys and clients in Chinese. */
import type { Phrases } from '../../phrases.ts'

/** What an error says is missing, taken or changed: only inside its sentence, since a name may begin like one. */
export const things: Phrases = {
  'account {id}': '账号 {id}',
  'source {id}': '来源 {id}',
  'profile {id}': '配置 {id}',
  'backend {id}': '后端 {id}',
  'pool {id}': '模型池 {id}',
  'call {id}': '调用 {id}',
  'budget {id}': '预算 {id}',
  'access key {id}': '访问密钥 {id}',
  'route rule {id}': '路由规则 {id}',
  'sign-in {id}': '登录 {id}',
  'connection of {client}': '{client} 的连接',
  'practice source {id}': '练习来源 {id}',
  'that conversation': '该会话',
  'such member': '这样的功能',
  'window in a browser here': '可在浏览器中打开的窗口',
  'a model of GET /v1/models': 'GET /v1/models 的模型',
  'a reset that {label} could spend': '{label} 可以使用的重置',
  'The pool {id}': '模型池 {id}',
  'The route rule {id}': '路由规则 {id}',
  'The key {label}': '密钥 {label}',
  'The account {label}': '账号 {label}',
  'The login of {label}': '{label} 的登录',
  'The file': '文件',
  'The keychain item': '钥匙串条目',
  'A budget labelled {label}': '名为 {label} 的预算',
  'An access key labelled {label}': '名为 {label} 的访问密钥',
  'A {kind:entries} of {id}': '{id} 的{kind}',
  '{vendor} accounts': '{vendor} 账号',
  'Claude Code (`claude`)': 'Claude Code（`claude`）',
  'The access key {label}': '访问密钥 {label}',
  'The budget {label}': '预算 {label}',
  'the provider {name}': '地址 {name}',
  'the operation {name}': '操作{name:operations}',
  'the model {name}': '模型 {name}',
  'the service tier {name}': '服务等级 {name}',
}

const signIns: Phrases = {
  'it was cancelled': '已取消',
  'it was refused on the vendor’s page': '在厂商页面上被拒绝',
  'its time ran out': '已超时',
  'The sign-in was cancelled.': '登录已取消。',
  'you chose to paste the address': '你选择粘贴地址',
  'other programs hold the ports {ports}, the only two that the vendor returns to':
    '其他程序占用了端口 {ports}，而厂商只会返回到这两个端口',
  'the vendor’s page reported an error': '厂商页面报告了错误',
  'paste the whole address that the browser shows after signing in; it begins with http://localhost':
    '请粘贴登录后浏览器显示的完整地址，以 http://localhost 开头',
  'this address belongs to another sign-in': '此地址属于另一次登录',
  'this sign-in waits for nothing to be pasted': '此登录不等待粘贴任何内容',
  '{vendor} has no sign-in by {way}': '{vendor} 没有 {way} 这种登录方式',
  'the vendor refused the sign-in code': '厂商拒绝了登录代码',
  'the vendor’s answer held no token': '厂商的回答中没有令牌',
  'the vendor’s answer held no sign-in code': '厂商的回答中没有登录代码',
  'the vendor’s answer held no device code': '厂商的回答中没有设备码',
  'device codes are not enabled for this vendor; sign in with the browser instead':
    '此厂商没有启用设备码；请改用浏览器登录',
  '`claude` can not be used: {why}': '无法使用 `claude`：{why}',
  '`claude setup-token` ended without a token (exit code {code})':
    '`claude setup-token` 结束时没有给出令牌（退出码 {code}）',
  '`claude auth login` ended without a login (exit code {code})':
    '`claude auth login` 结束时没有给出登录（退出码 {code}）',
  '`claude` keeps its login elsewhere than in a file on this system; sign in with a setup-token':
    '在此系统上 `claude` 不把登录存放在文件里；请用 setup-token 登录',
  'paste the code that the page shows': '请粘贴页面显示的代码',
  '`claude` wrote more than it ever should': '`claude` 的输出过多',
  'it did not tell its version': '它没有给出版本',
  'it does not tell its version': '它没有给出版本',
  'its version {found} is older than {needed}; update it with `claude update`':
    '它的版本 {found} 早于 {needed}；请用 `claude update` 更新',
  'give callbackUrl or code': '请给出 callbackUrl 或 code',
  'this login belongs to another account than {label}': '此登录属于另一个账号，不是 {label}',
  'only the Codex CLI keeps its login in the keychain': '只有 Codex CLI 把登录存放在钥匙串里',
  'a Claude subscription serves Claude Code and nothing else': 'Claude 订阅只为 Claude Code 服务',
  'Using several subscriptions of one vendor to go beyond a plan’s limits may breach its agreement and can cost the accounts.':
    '用同一厂商的多个订阅来超出套餐限额，可能违反协议，并可能导致账号被停用。',
}

const logins: Phrases = {
  'you signed it out': '你退出了登录',
  'no sign-in is stored for it': '没有为它保存登录',
  'its sign-in was removed': '它的登录已被删除',
  'it has no login': '它没有登录',
  'its setup-token is no longer accepted; make a new one': '它的 setup-token 已不再被接受；请生成新的',
  'its token is used up and no refresh token is stored': '它的令牌已过期，且没有保存刷新令牌',
  'its vendor refuses even a token that was just renewed': '连刚续期的令牌也被厂商拒绝',
  'its vendor keeps refusing to renew it; {why}': '厂商一直拒绝为它续期；{why}',
  'the outcome of the last renewal is unknown': '上次续期的结果未知',
  'the vault could not be saved': '无法保存保管库',
  'the answer held no access token': '回答中没有访问令牌',
  'the answer held no token': '回答中没有令牌',
  'an earlier renewal was cut off before its answer could be stored': '先前的续期在保存其回答之前中断',
  'its vendor no longer accepts its refresh token': '厂商不再接受它的刷新令牌',
  'its refresh token was already used, probably by another program that holds a copy of this login':
    '它的刷新令牌已被使用，可能是另一个持有此登录副本的程序所为',
  'its sign-in is too old': '它的登录过旧',
  'its sign-in was ended by the vendor or in the account’s settings': '它的登录已被厂商或在账号设置中终止',
  'its vendor refuses the copy of its login; read it from the keychain again':
    '厂商拒绝它的登录副本；请重新从钥匙串读取',
  'the copy of its login has expired; start `codex` once, then read it from the keychain again':
    '它的登录副本已过期；请启动一次 `codex`，然后重新从钥匙串读取',
  'another Pointsman renewed this login already: the one with the data folder {folder}':
    '另一个 Pointsman 已为此登录续期：数据文件夹为 {folder} 的那个',
  'another Pointsman': '另一个 Pointsman',
  'no login file is named for it': '没有为它指定登录文件',
  'its login file can not be read': '无法读取它的登录文件',
  'the login file of `{program}` is gone; sign in with `{program}` again':
    '`{program}` 的登录文件已不存在；请用 `{program}` 重新登录',
  '`{program}` is now signed in to another account': '`{program}` 现在登录的是另一个账号',
  'its login has expired; start `{program}` once, which renews it': '它的登录已过期；请启动一次 `{program}` 来续期',
  'its vendor refuses the login; start `{program}` once, or sign in there again':
    '厂商拒绝此登录；请启动一次 `{program}`，或在那里重新登录',
  'Pointsman now renews this login. The copy that the vendor’s program still holds stops working once either of the two is renewed: sign in there again with {program}, so that each has a login of its own.':
    '今后由 Pointsman 为此登录续期。官方程序仍持有的副本在任一方续期后就会失效：请在那里用 {program} 重新登录，让两者各有自己的登录。',
  '{label} does not read its login from a file': '{label} 的登录不是从文件读取的',
  '{label} was not taken over from a file': '{label} 不是从文件接管的',
  'the file has another shape than before': '文件的格式已与之前不同',
  'the file could not be written': '无法写入文件',
}

const credentials: Phrases = {
  'the path must be absolute': '路径必须是绝对路径',
  'a setup-token exists for Claude only': '只有 Claude 有 setup-token',
  'give one of credential, path and setupToken': '请给出 credential、path、setupToken 之一',
  'the keychain holds no login of the Codex CLI for that folder; if it keeps its login in auth.json, read that file':
    '钥匙串中没有该文件夹的 Codex CLI 登录；如果它把登录存放在 auth.json，请读取该文件',
  'the file does not exist or can not be read': '文件不存在或无法读取',
  'it is not a JSON object': '它不是 JSON 对象',
  'it has no claudeAiOauth part': '其中没有 claudeAiOauth 部分',
  'it holds only sign-ins of MCP servers, no Claude login; sign in with `claude` first':
    '其中只有 MCP 服务器的登录，没有 Claude 登录；请先用 `claude` 登录',
  'it has no access token': '其中没有访问令牌',
  'this is an API key; add it as an API profile instead': '这是 API 密钥；请改为添加 API 配置',
  'this is a refresh token; paste what `claude setup-token` prints': '这是刷新令牌；请粘贴 `claude setup-token` 的输出',
  'a setup-token begins with sk-ant-oat01-; paste what `claude setup-token` prints':
    'setup-token 以 sk-ant-oat01- 开头；请粘贴 `claude setup-token` 的输出',
  'it holds an API key, no ChatGPT sign-in; add the key as an API profile, or run `codex login` first':
    '其中是 API 密钥，没有 ChatGPT 登录；请把密钥添加为 API 配置，或先运行 `codex login`',
  'it holds another kind of sign-in than ChatGPT; run `codex login` first':
    '其中不是 ChatGPT 登录；请先运行 `codex login`',
  'its auth_mode is not known; run `codex login` first': '不认识它的 auth_mode；请先运行 `codex login`',
  'it holds no ChatGPT sign-in; run `codex login` first': '其中没有 ChatGPT 登录；请先运行 `codex login`',
}

const profiles: Phrases = {
  'the base URL must begin with https://': '基础地址必须以 https:// 开头',
  'the base URL holds a character that no address has': '基础地址含有地址中不会有的字符',
  'the base URL must have no query and no fragment': '基础地址不能带查询或片段',
  'the base URL is not an address': '基础地址不是有效的地址',
  'the base URL must hold no user name and no password': '基础地址不能含用户名或密码',
  'the base URL points at a link-local, metadata or unspecified address': '基础地址指向链路本地、元数据或未指定的地址',
  'the base URL must begin with https:// unless it is this machine': '除非是本机，基础地址必须以 https:// 开头',
  'this is the token of a Claude subscription; add it as an account instead of an API profile':
    '这是 Claude 订阅的令牌；请添加为账号，而不是 API 配置',
  'the proxy must be http://HOST:PORT or https://HOST:PORT': '代理必须是 http://HOST:PORT 或 https://HOST:PORT',
  'the weight must be a whole number from 1 to 1000': '权重必须是 1 到 1000 的整数',
  'enter the API key again to change the base URL or the proxy': '更改基础地址或代理时，请重新输入 API 密钥',
  'name at least one dialect of {names}': '请至少选择一种接口：{names}',
  'the default model is not one of the models': '默认模型不在模型列表中',
  'the label must have 1 to 80 visible characters': '名称须有 1 到 80 个可见字符',
  'the API key holds a character that no key has': 'API 密钥含有密钥中不会有的字符',
  'a model name must have 1 to 200 visible characters': '模型名称须有 1 到 200 个可见字符',
  'the model {model} is listed twice': '模型 {model} 列出了两次',
  'the answer is not a list of models': '回答不是模型列表',
  'it does not speak that dialect': '它不支持该接口',
}

const arrangements: Phrases = {
  'name a session or an account': '请指定会话或账号',
  'a refund names its execution and gives something back': '退还须指明执行，并退回金额',
  'an amount of nothing changes nothing': '金额为零不会改变任何内容',
  'there is no time zone {zone}': '没有时区 {zone}',
  'there is no strategy {id}; there is {known}': '没有策略 {id}；现有 {known}',
  'the strategy has no option {name}': '此策略没有选项 {name}',
  'the strategy has no option {name}; it has {known}': '此策略没有选项 {name}；它有 {known}',
  '{name} must be a number from {least} to {most}': '{name} 必须是 {least} 到 {most} 的数',
  'a folder is named by its whole path': '文件夹须写完整路径',
  'the default key keeps its name, by which its file is kept': '默认密钥的名称不变，它的文件按此名称保存',
  '{label} serves none of the key’s models': '{label} 不提供此密钥的任何模型',
  'a key that is {from} can not become {to}': '{from:keyStates}的密钥不能变为{to:keyStates}',
  '{id} is not in the pool {pool}': '{id} 不在模型池 {pool} 中',
  '{id} is named twice': '{id} 出现了两次',
  'basedOn needs a poolId: several pools have this backend': 'basedOn 需要 poolId：有多个模型池包含此后端',
  'tiers needs poolId': 'tiers 需要 poolId',
  'the rule {id} is for the same address, model and client style': '规则 {id} 的地址、模型和客户端类型与此相同',
  'there is no address {address}': '没有地址 {address}',
  'the address {address} names one account and no other serves there':
    '地址 {address} 只指一个账号，其他账号不在那里提供服务',
  'leave out the suffix {suffix}; it goes upstream as it is asked for': '请去掉后缀 {suffix}；它会按请求原样发往上游',
  'a rule needs a backend': '规则需要一个后端',
  'there is no backend {id}': '没有后端 {id}',
  'this is not practice mode': '现在不是练习模式',
  'None of the calls of the last 7 days would have gone elsewhere.': '最近 7 天的调用都不会改走别处。',
  '{calls} of the last {all} calls, in {sessions} conversations, are affected.':
    '最近 {all} 次调用中有 {calls} 次受影响，涉及 {sessions} 个会话。',
  'Spending a banked reset can not be undone. It renews the windows once, now, whatever is left in them; the vendor may show that a little later.':
    '使用存下的重置无法撤销。它现在就重置一次额度，不论还剩多少；厂商可能稍后才显示。',
  '{label} has spent one banked reset; its windows are read anew.': '{label} 用掉了一次存下的重置；正在重新读取额度。',
  'That reset of {label} had been spent before; nothing more was spent.': '{label} 的这次重置之前已用过；没有再使用。',
  '{label} has nothing to reset; nothing was spent.': '{label} 没有可重置的额度；没有使用。',
  '{label} has no banked reset.': '{label} 没有存下的重置。',
  'The vendor answered {code}.': '厂商回答 {code}。',
  'only Codex accounts bank resets': '只有 Codex 账号能存下重置',
}

const olderLayouts: Phrases = {
  'what it holds is not known': '不认识其内容',
  'the profile {name}: {why}': '配置 {name}：{why}',
  'it has no name': '它没有名称',
  'its kind is not known': '不认识它的类型',
  'its API style is not known': '不认识它的接口',
  'it has no base URL': '它没有基础地址',
  'its models have another shape': '它的模型格式不同',
}

const trials: Phrases = {
  '{label} answered and lists {model}.': '{label} 有回答，并列出 {model}。',
  '{label} answered but doesn’t list {model}.': '{label} 有回答，但没有列出 {model}。',
  '{label} answered and lists {model}. {rest:any}': '{label} 有回答，并列出 {model}。{rest}',
  '{label} answered but doesn’t list {model}. {rest:any}': '{label} 有回答，但没有列出 {model}。{rest}',
  '{label} answered as {model}.': '{label} 以 {model} 回答。',
  'A tool call came through the translation from {from} to {to}.': '从 {from} 到 {to} 的转换通过了工具调用。',
  'its answer ended in an error ({code})': '它的回答以错误结束（{code}）',
  'it called no tool': '它没有调用工具',
  'it called a tool that it was not given': '它调用了没有提供给它的工具',
  'its call lacks the tool’s arguments': '它的调用缺少工具的参数',
}

const clients: Phrases = {
  'it is not valid JSON': '它不是有效的 JSON',
  'it is not an object': '它不是对象',
  'it has the key {name} twice': '其中键 {name} 出现了两次',
  'its env is not an object': '其中的 env 不是对象',
  'the change did not take': '更改没有生效',
  'the change would touch more than Pointsman’s own keys': '更改会触及 Pointsman 自己的键以外的内容',
  'it is not valid TOML': '它不是有效的 TOML',
  'its provider is written in a way that can not be changed safely': '其中 provider 的写法无法安全更改',
  'Pointsman’s keys are written in a way that can not be taken out safely': 'Pointsman 的键的写法无法安全取出',
  'its {name} is written in a way that can not be changed safely': '其中 {name} 的写法无法安全更改',
  'the folder does not exist': '文件夹不存在',
  'only the Codex CLI has a second way': '只有 Codex CLI 有第二种方式',
  'it can not be read': '无法读取',
  'it is not UTF-8 text': '它不是 UTF-8 文本',
}

export const accounts: Phrases = {
  ...signIns,
  ...logins,
  ...credentials,
  ...profiles,
  ...arrangements,
  ...olderLayouts,
  ...trials,
  ...clients,
}

export const keyStates: Phrases = {
  pending: '尚未启用',
  active: '有效',
  disabled: '已停用',
  expired: '已过期',
  revoked: '已吊销',
}

export const entries: Phrases = { settle: '结算', adjust: '更正', refund: '退还' }
