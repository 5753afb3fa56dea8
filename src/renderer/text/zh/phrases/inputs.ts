/** What a member's schema says of an input that it refuses, in Chinese; only inside that error's sentence. */
import type { Phrases } from '../../phrases.ts'

/** One trouble, one of a named field, or several of them. */
export const issues: Phrases = {
  '{one:issues}; {more:issues}': '{one:issues}；{more:issues}',
  '{field}: {one:issues}': '{field:fields}：{one:issues}',
  'Invalid input: expected {expected:kinds}, received {received:kinds}':
    '应为{expected:kinds}，得到的是{received:kinds}',
  'Invalid input: expected {value}': '应为 {value}',
  'Invalid input': '格式不对',
  'Invalid option: expected one of {values}': '应为 {values} 之一',
  'Invalid discriminator value. Expected {values}': '应为 {values} 之一',
  'Invalid string: must match pattern {pattern}': '须符合格式 {pattern}',
  'must not be empty': '不能为空',
  'at most {count} character': '最多 {count} 个字符',
  'at most {count} characters': '最多 {count} 个字符',
  'at least {count} character': '至少要有 {count} 个字符',
  'at least {count} characters': '至少要有 {count} 个字符',
  'at most {count} item': '最多 {count} 项',
  'at most {count} items': '最多 {count} 项',
  'at least {count} item': '至少要有 {count} 项',
  'at least {count} items': '至少要有 {count} 项',
  'at most {count}': '不能大于 {count}',
  'at least {count}': '不能小于 {count}',
  'less than {count}': '必须小于 {count}',
  'more than {count}': '必须大于 {count}',
  'there is no {keys}': '没有 {keys} 这个字段',
  'must be an absolute path': '必须是完整路径',
  'must be the id of a call': '必须是一次调用的编号',
  'must be a session as the list gives it': '必须是列表中的会话',
  'must be like 12h, 7d or 2w': '须写成 12h、7d 或 2w 这样',
  'more than 10000 slots': '时间段超过 10000 个',
}

export const kinds: Phrases = {
  string: '文本',
  number: '数字',
  int: '整数',
  boolean: '是或否',
  array: '列表',
  object: '一组字段',
  record: '一组字段',
  null: '空值',
  undefined: '空缺',
  NaN: '非数字',
}

/** As the window's own forms name them; others stay. */
export const fields: Phrases = {
  label: '名称',
  amount: '金额',
  note: '原因',
  folder: '文件夹',
  path: '路径',
  baseUrl: '基础地址',
  apiKey: 'API 密钥',
  models: '模型',
  aliases: '别名',
  weight: '权重',
  sources: '来源',
  strategy: '策略',
  concurrency: '同时调用数',
  prices: '价格',
}
