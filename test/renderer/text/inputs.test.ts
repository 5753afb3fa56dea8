/** What schemas say of a refused input has words in Chinese: asked of real schemas, through the error that a member throws. */
import { ORPCError } from '@orpc/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { toContractError } from '../../../src/main/api/implement.ts'
import { type Problem, problemOf } from '../../../src/renderer/bridge/problem.ts'
import { en } from '../../../src/renderer/text/en.ts'
import { zh } from '../../../src/renderer/text/zh.ts'
import { HandLog } from '../../accounts/kit.ts'

const text = z.string().min(1).max(3)
const schema = z.strictObject({
  label: text.optional(),
  amount: z.number().int().min(1).max(9).optional(),
  above: z.number().positive().optional(),
  models: z.array(text).min(1).max(2).optional(),
  mode: z.enum(['a', 'b']).optional(),
  one: z.literal('x').optional(),
  path: z.string().regex(/^\//, 'must be an absolute path').optional(),
  plain: z.string().regex(/^\//).optional(),
  either: z.union([z.string(), z.boolean()]).optional(),
  by: z.discriminatedUnion('kind', [z.object({ kind: z.literal('k') })]).optional(),
})

/** As a member's caller is told. */
function told(input: unknown): Problem {
  const cause = new ORPCError('BAD_REQUEST', { data: { issues: schema.safeParse(input).error?.issues } })
  return problemOf(toContractError(cause, new HandLog(), false))
}

test.each([
  [{ label: '' }, '名称：不能为空'],
  [{ label: 'long' }, '名称：最多 3 个字符'],
  [{ label: 4 }, '名称：应为文本，得到的是数字'],
  [{ amount: 0 }, '金额：不能小于 1'],
  [{ amount: 10 }, '金额：不能大于 9'],
  [{ amount: 1.5 }, '金额：应为整数，得到的是数字'],
  [{ amount: null }, '金额：应为数字，得到的是空值'],
  [{ above: 0 }, 'above：必须大于 0'],
  [{ models: [] }, '模型：至少要有 1 项'],
  [{ models: ['a', 'b', 'c'] }, '模型：最多 2 项'],
  [{ models: ['a', ''] }, 'models.1：不能为空'],
  [{ mode: 'c' }, 'mode：应为 "a"|"b" 之一'],
  [{ one: 'y' }, 'one：应为 "x"'],
  [{ path: 'x' }, '路径：必须是完整路径'],
  [{ plain: 'x' }, 'plain：须符合格式 /^\\//'],
  [{ either: 1 }, 'either：格式不对'],
  [{ more: 1 }, '没有 more 这个字段'],
  [{ more: 1, most: 2 }, '没有 more, most 这个字段'],
  [{ label: '', amount: 10, path: 'x' }, '名称：不能为空；金额：不能大于 9；路径：必须是完整路径'],
])('%j is refused with “%s”', (input, words) => {
  expect(zh.said.problem(told(input))).toBe(`输入无效：${words}。`)
})

test.each([
  [{ label: '' }, 'label: must not be empty'],
  [{ label: 'long', amount: 0 }, 'label: at most 3 characters; amount: at least 1'],
  [{ models: ['a', 'b', 'c'] }, 'models: at most 2 items'],
  [{ above: 0, more: 1 }, 'above: more than 0; there is no more'],
  [{ mode: 'c' }, 'mode: Invalid option: expected one of "a"|"b"'],
])('%j is refused in English with “%s”', (input, words) => {
  expect(en.said.problem(told(input))).toBe(`The input is not valid: ${words}.`)
})

test('what a person wrote is not taken for a schema’s words', () => {
  const { said } = zh
  for (const foreign of ['Invalid input', 'my key: Invalid input', 'label: two'])
    expect(said.sentence(foreign)).toBe(foreign)
})
