/** The catalogue of errors in Chinese; a code without its two sentences does not compile. */
import type { ErrorCode } from '../../../shared/errors.ts'

export interface ErrorWords {
  /** With the holes of the catalogue's own sentence. */
  readonly sentence: string
  readonly next: string
}

const words = (sentence: string, next: string): ErrorWords => ({ sentence, next })

export const errors: Readonly<Record<ErrorCode, ErrorWords>> = {
  origin_refused: words('此地址只回答本机的程序。', '请使用 Pointsman 显示的地址。'),
  no_credentials: words('没有收到有效的访问密钥。', '请从 Pointsman 复制一个访问密钥到此客户端。'),
  not_served: words('Pointsman 不提供 {method} {path}。', '请使用其中之一：{served}。'),
  access_key_unbound: words('访问密钥 {label}{why:unbound}。', '请在“账号”页的“访问密钥”中为它设定策略或启用的预算。'),
  access_credential_inactive: words(
    '访问密钥 {label} {state:keyStates}。',
    '请在“账号”页的“访问密钥”中启用它，或使用其他密钥。',
  ),
  access_scope_denied: words(
    '访问密钥 {label} 不允许使用{what:things}。',
    '请在“账号”页的“访问密钥”中放宽此密钥，或使用其他密钥。',
  ),
  access_concurrency_exceeded: words('{who:things}已有 {limit} 个调用在进行。', '请等待其中一个结束，或提高它的限额。'),
  access_unavailable: words('无法读取访问密钥，因此不放行任何调用。', '请运行 `pointsman doctor`。'),
  billing_quota_exhausted: words('预算 {label} 已用完。', '请提高它，或等待它重新开始。'),
  billing_price_unavailable: words('{model:unnamed} 的候选都没有可信的价格。', '请为此模型添加价格。'),
  upstream_binding_unavailable: words(
    '此密钥指定的账号无法提供服务：{why:standings}。',
    '请修复该账号，或更改密钥的策略。',
  ),

  bad_request: words('无法读取请求：{why}。', '请发送普通的 HTTP/1.1 请求。'),
  headers_too_many: words('请求的标头超过 200 个。', '请减少标头。'),
  expectation_failed: words('只支持 100-continue 这一种 Expect。', '请去掉 Expect 标头。'),
  websocket_not_served: words('这里不提供 WebSocket。', '请使用 HTTP；客户端会自行改用。'),
  websocket_connection_limit_reached: words(
    '此 WebSocket 已打开 60 分钟。',
    '请新建一个并发送完整会话；Codex CLI 会自行处理。',
  ),
  frame_not_served: words('不提供帧类型 {type}。', '请发送 response.create 帧。'),
  body_too_large: words('正文大于 {limit}。', '请发送较小的正文，或在设置中提高限制。'),
  body_timeout: words('正文没有及时到达。', '请重新发送请求。'),
  body_incomplete: words('正文没有达到声明的长度就结束了。', '请重新发送请求。'),
  body_type_refused: words('正文必须是 application/json。', '请把 content-type 设为 application/json。'),
  encoding_unknown: words('不认识的 content-encoding：{encoding}。', '请使用 gzip、br、deflate、zstd，或不压缩。'),
  encoding_corrupt: words('无法读取压缩的正文。', '请重新发送，或不压缩。'),
  body_not_json: words('正文不是 JSON 对象：{why}。', '请发送一个 JSON 对象。'),
  duplicate_field: words('正文中字段 {field} 出现了两次。', '请只发送一次。'),
  local_busy: words('同时进行的调用已达上限。', '请稍后重试。'),

  model_not_served: words('这里没有来源提供模型 {model:unnamed}。', '请把它加到某个来源，或请求：{served}。'),
  all_exhausted: words('{model:unnamed} 的账号都已用完：{why:standings}。', '请等到 {when}，或添加账号。'),
  none_available: words('现在没有账号能提供 {model:unnamed}：{why:standings}。', '原因见“模型”页。'),
  routing_paused: words('路由已暂停。', '请从托盘恢复，或运行 `pointsman rpc app.resume`。'),
  state_elsewhere: words(
    '此请求所依赖的先前回答或容器在 {label:unnamed} 处，而它现在无法提供服务。',
    '请改为发送完整会话，或等待该账号。',
  ),
  not_translatable: words('请求无法转送到 {label}：{why}（{field}）。', '请去掉该内容，或请求使用此客户端接口的模型。'),

  upstream_unreachable: words('无法连接 {host}：{why}。', '请检查网络或代理。'),
  tls_untrusted: words('{host} 的证书不受信任：{why}。', '请检查网络、代理或时钟。'),
  upstream_lost_before_answer: words('请求发出后与 {host} 的连接断开；是否已被回答无从得知。', '请重新发送请求。'),
  answer_broken: words('回答在结束前中断。', '请重新发送请求。'),
  upstream_silent: words('{host} 在 {minutes} 分钟内没有开始回答。', '请重新发送。'),
  upstream_malformed: words('{host} 的回答不是有效的 HTTP。', '请重试；如果持续如此，请告知厂商。'),
  upstream_redirected: words('{host} 以重定向回答，重定向从不跟随。', '请检查基础地址。'),
  account_refused: words('{label} 被厂商拒绝：{why}。', '请重新登录 {label}。'),
  needs_sign_in: words('{label} 已退出登录：{why}。', '请重新登录。'),
  token_unavailable: words('{label} 的登录暂时无法续期：{why}。', '请稍候，Pointsman 会自行重试。'),
  models_unreadable: words('无法读取 {label} 的模型列表：{why}。', '请重试，或手动填写模型。'),
  key_rejected: words('{label} 的 API 密钥被厂商拒绝。', '请为 {label} 填写有效的密钥。'),
  test_failed: words('{label} 没有回答测试：{why}。', '请检查它的地址、密钥和模型名称。'),
  translation_test_failed: words(
    '{label} 有回答，但从 {from} 转换为 {to} 的工具调用失败：{why}。',
    '使用该接口的客户端需要另一个后端，或为它选一个会调用工具的模型。',
  ),

  vault_unavailable: words('无法打开保管库：{why}。', '请先修复，或以 --vault passphrase、file 或 memory 启动。'),
  vault_locked: words('保管库已锁定：{why}。', '请解锁，然后运行 `pointsman rpc vault.unlock {}`。'),
  vault_hung: words('钥匙串没有响应：{why}。', '请回应它的提示或重启它，然后重试。'),
  vault_key_missing: words(
    '此保管库的密钥（由 {kind:vaultKinds} 生成）不在这台机器上。',
    '请找回密钥，或重新登录每个账号；没有删除任何内容。',
  ),
  vault_damaged: words('{label} 在保管库中的记录无法解密。', '请重新登录；该记录已保留。'),
  vault_write_failed: words('无法保存保管库：{why}。', '请释放磁盘空间；新令牌暂存在内存中。'),

  node_too_old: words(
    '这是 Node {found}；Pointsman 需要 Node {needed} 或更新版本。',
    '请用 `npm start` 运行，它自带 Node。',
  ),
  sqlite_too_old: words('SQLite {found} 早于 {needed}，可能丢失已提交的行。', '请运行 `npm ci`。'),
  store_newer: words('{file} 由更新版本的 Pointsman 生成。', '请更新 Pointsman；文件没有被改动。'),
  store_unreadable: words('无法打开 {file}：{why}。', '请检查数据文件夹的权限。'),
  store_write_failed: words('无法保存更改：{why}。', '请释放磁盘空间，或检查数据文件夹。'),
  data_folder_unusable: words('无法使用数据文件夹：{why}。', '请给你的用户写入权限。'),
  data_folder_in_use: words('另一个 Pointsman 已在使用此数据文件夹。', '请使用那一个，或另用 --data-dir。'),
  port_in_use: words('{host} 的端口 {port} 已被占用{by}。', '请结束该程序，或选择另一个 --port。'),
  unsafe_environment: words('Pointsman 不能在有{what:things}的情况下启动。', '请从环境中去掉它，然后重新启动。'),
  not_running: words('没有 Pointsman 在使用此数据文件夹运行。', '请用 `pointsman serve` 启动。'),

  client_config_unsafe: words('无法安全地更改此文件：{why}。', '请按预览手动更改。'),

  usage: words('{why}。', '请看 `pointsman --help`。'),
  invalid_input: words('输入无效：{why:issues}。', '请改正后重试。'),
  not_found: words('没有{what:things}。', '请先查看现有的内容，然后重试。'),
  already_exists: words('{what:things}已存在。', '请换一个名称，或更改现有的。'),
  conflict: words('{what:things}刚刚被更改。', '请重新查看，然后再次更改。'),
  host_not_allowed: words('{host} 不能接收此凭据。', '官方凭据只发给其厂商。'),
  credential_unreadable: words('无法读取凭据：{why}。', '请使用厂商自己的文件或令牌。'),
  sign_in_failed: words('登录没有成功：{why}。', '请重新开始。'),
  vendor_program_missing: words(
    '在这台机器上没有找到 {program}。',
    '请用 `npm install -g @anthropic-ai/claude-code` 安装，或粘贴在别处由 `claude setup-token` 生成的令牌。',
  ),
  terms_not_accepted: words(
    '尚未接受{what:things}的条款。',
    '请在窗口中或用 `pointsman accounts sign-in` 阅读，然后带上 acceptTerms 重试。',
  ),
  usage_unreadable: words('{label} 没有给出用量：{why}。', '保留上次的值；请稍后重试。'),
  too_soon: words('不到 {seconds} 秒前刚做过。', '请稍候再试。'),
  internal: words('Pointsman 内部出错（日志编号 {logId}）。', '请查看日志；如果持续如此，请告诉我们。'),
}
