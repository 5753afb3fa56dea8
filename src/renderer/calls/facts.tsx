/** The measured facts of one call. */
import type { ReactNode } from 'react'
import { useFormat } from '../text/format.ts'
import { useTexts } from '../text/texts.ts'
import { visible } from '../text/visible.ts'
import { useCallFormat } from './call-format.ts'
import { modelText } from './call-row.tsx'
import type { CallDetail } from './call-types.ts'
import type { Names } from './names.ts'

export function Facts({ detail, names }: { readonly detail: CallDetail; readonly names: Names }) {
  const { calls: texts, models, said, ui } = useTexts()
  const format = useFormat()
  const short = useCallFormat()
  const { call, executions, decision } = detail
  const { facts } = texts
  const { usage } = call
  const nameOf = (id: string): string =>
    names.sources.get(id) ?? executions.find((one) => one.sourceId === id)?.sourceLabel ?? id
  const wanted = decision?.wanted ?? null
  const served = call.sourceLabel ?? texts.noOne
  const actual = decision?.actual ?? null
  const strategy = decision?.strategy ?? null
  const wantedText = (id: string): string =>
    joined(nameOf(id), id === actual ? texts.asWanted : actual === null ? null : texts.fallback)
  const partly = (whole: number, parts: readonly (readonly [(count: string) => string, number])[]): string => {
    const named = parts.flatMap(([name, count]) => (count === 0 ? [] : [name(format.number(count))]))
    return named.length === 0 ? format.number(whole) : texts.ofThem(format.number(whole), named.join(texts.and))
  }
  const list: readonly (readonly [string, ReactNode, ('code' | undefined)?])[] = [
    [facts.requested, visible(modelText(call.requestedModel, call.upstreamModel) ?? ui.missing), 'code'],
    [facts.served, visible(served)],
    ...(wanted === null ? [] : [[facts.wanted, visible(wantedText(wanted))] as const]),
    [
      facts.source,
      joined(
        call.sourceType === null ? null : texts.sources[call.sourceType],
        texts.dialects[call.dialect],
        texts.operations[call.operation],
        call.stream ? texts.stream : texts.whole,
      ),
    ],
    [
      facts.conversation,
      joined(
        call.session === null ? ui.missing : `${call.session.slice(0, 8)}…`,
        decision?.reason == null ? null : (texts.reasons[decision.reason] ?? said.code(decision.reason)),
      ),
    ],
    [
      facts.strategy,
      strategy === null
        ? ui.missing
        : texts.ofStrategy(
            strategy === 'ordered' ? texts.listedOrder : (models.strategies[strategy] ?? strategy),
            visible(decision?.pool ?? ui.missing),
          ),
    ],
    [
      facts.input,
      usage === null
        ? ui.missing
        : partly(usage.inputTokens, [
            [texts.fromCache, usage.cacheReadTokens],
            [texts.toCache, usage.cacheWriteTokens],
          ]),
    ],
    [
      facts.output,
      usage === null ? ui.missing : partly(usage.outputTokens, [[texts.reasoning, usage.reasoningTokens]]),
    ],
    [facts.cost, call.cost === null ? ui.missing : short.money(call.cost)],
    [facts.size, joined(format.bytes(call.bytesIn), format.bytes(call.bytesOut))],
    [facts.client, visible(joined(call.client, names.keys.get(call.keyId) ?? call.keyId))],
    ...(call.errorCode === null
      ? []
      : [[facts.status, joined(call.status === null ? null : String(call.status), call.errorCode)] as const]),
    [facts.started, format.full(call.startedMs)],
    ...executions.flatMap(({ requestId }) =>
      requestId === null ? [] : [[facts.requestId, visible(requestId), 'code'] as const],
    ),
    [facts.callId, call.id, 'code'],
    ...(decision?.shadow === undefined
      ? []
      : [[facts.shadow, texts.shadow(visible(decision.shadow.label ?? ui.missing))] as const]),
  ]
  return (
    <dl className="facts">
      {list.map(([name, value, kind], index) => (
        <div key={index} className="fact">
          <dt>{name}</dt>
          <dd className={kind === 'code' ? 'is-code' : undefined}>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const joined = (...parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(' · ')
