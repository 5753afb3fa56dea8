/** What the translation of one call left out or changed, and what a rehearsal can't know, in Chinese. */
import type { Phrases } from '../../phrases.ts'

/** The codes of losses, as a call's warnings say them. */
export const losses: Phrases = {
  'answer part unknown': '去掉这里不认识的回答部分',
  'stop reason unknown': '去掉这里不认识的结束原因',
  'paused turn ended': '暂停的一轮没有继续，按达到上限结束',
  'allowed callers dropped': '去掉允许的调用方',
  'call cut off': '因上限或过滤而中断的调用未完成',
  'call without name dropped': '去掉没有名称的调用',
  'call without name': '去掉没有名称的调用',
  'citations dropped': '去掉引用标注',
  'document context dropped': '去掉文档的上下文',
  'effort dropped': '去掉思考强度',
  'logprobs dropped': '去掉词元概率',
  'max tokens dropped': '去掉输出上限',
  'metadata dropped': '去掉 metadata',
  'reasoning dropped': '去掉先前的思考',
  'sampling dropped': '去掉采样参数',
  'search result structure dropped': '去掉搜索结果的结构',
  'server tool history dropped': '去掉厂商工具的历史',
  'server tool removed': '去掉厂商自己运行的工具',
  'server tool hidden': '去掉厂商工具的内容',
  'service tier dropped': '去掉服务等级',
  'strict schema not qualifying': '严格结构只作为建议',
  'thinking off for forced tool': '因强制使用工具而关闭思考',
  'thinking off for lost thoughts': '因思考已丢失而关闭思考',
  'thinking off for small limit': '因上限太小而关闭思考',
  'tool reference dropped': '去掉工具引用',
  'tool search dropped': '去掉工具搜索',
  'web search {name} dropped': '去掉网页搜索的 {name}',
  '{name} dropped': '去掉 {name}',
  'effort clamped': '思考强度改为较低一级',
  'max tokens clamped': '调整输出上限',
  'temperature clamped': '限制 temperature',
  'thinking budget clamped': '调整思考预算',
  'allowed tools filtered': '去掉不允许的工具',
  'call without result': '补上没有结果的调用',
  'client tool emulated': '厂商类型的工具改为函数',
  'format as instruction': '回答格式改为指令',
  'namespace flattened': '工具的命名空间并入名称',
  'schema root merged': '工具结构的多选一已合并',
  'stop emulated': '在这里监视停止序列',
  'tool arguments unreadable': '工具参数无法读取，按原文转送',
  'tool emulated': '工具改为函数',
  'tool loaded eagerly': '工具一次性声明',
  'prefill not continued': '客户端开头的回答不会续写',
  'result repeated': '重复的结果改为文字',
  'result without call': '没有调用的结果改为文字',
  'system moved': '移动指令的位置',
}

/** Each loss says for itself what became of it. */
export const lossActions: Phrases = { dropped: '', emulated: '', moved: '', clamped: '' }

export const translation: Phrases = {
  '{loss:losses} ({path}): {action:lossActions}.': '{loss}（{path}）。',
  '{loss:losses} (its answer).': '{loss}（回答中）。',
  'Translation is strict here: nothing of the request was left out.': '此处转换从严：请求没有去掉任何内容。',
  'Translated from {from} to {to}.': '从 {from} 转换为 {to}。',
  '{path} can not be carried to this model, and translation is strict here': '{path} 无法转送到此模型，而此处转换从严',
  '{path} can not be carried to this model': '{path} 无法转送到此模型',
  'Compaction is not served by this model': '此模型不提供压缩',
  'A compacted history can be read only where it was made': '压缩后的历史只能在产生它的地方读取',
  'The request holds no message': '请求中没有消息',
  'The body is not a JSON object': '正文不是 JSON 对象',
  'The body is nested too deeply': '正文嵌套过深',
  'the body': '正文',
  'The upstream stopped in the middle of its answer.': '上游在回答中途停止。',
}

export const rehearsal: Phrases = {
  'The log is longer than one rehearsal reads; only its newest calls were taken.':
    '记录比一次预演能读的更长；只取了最新的调用。',
  'Whether another account would have failed, been slower or been refused is not known: failures stay where they were.':
    '换一个账号是否会失败、更慢或被拒绝无从得知：失败保持原样。',
  'How much a token takes is not known for {names:names}; there the quota stays as it was read.':
    '不知道 {names} 的每个 token 占多少额度；那里的额度按读到的保持不变。',
  'Calls that were refused have no tokens, so serving them would have used nothing here.':
    '被拒绝的调用没有 token，因此在预演中不占额度。',
  'The log does not name the parents of {count} calls of subagents; they were ranked as new conversations.':
    '记录没有 {count} 次子代理调用的来源会话；它们按新会话排序。',
  '{count} calls were kept by an older version without all numbers; their accounts count as unknown.':
    '{count} 次调用由旧版本保存，数据不全；其账号按未知计。',
  'The price of {count} calls is not known; the cost leaves them out.': '{count} 次调用的价格未知；费用不含它们。',
  'Use outside Pointsman counts as if it had happened all the same; a reset brought forward is not foreseen.':
    'Pointsman 之外的用量按照常发生计算；提前的重置无法预知。',
}

export const names: Phrases = { '{shown} and {count} more': '{shown} 等另外 {count} 个', '{shown}': '{shown}' }
