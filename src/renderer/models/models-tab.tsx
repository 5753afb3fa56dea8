/** The Models tab: one list per model, who would serve it now, and the order that decides. */
import { useState } from 'react'
import { RuleDialog } from '../routes/rule-dialog.tsx'
import { RuleList } from '../routes/rule-list.tsx'
import { useMirror } from '../state/mirror.ts'
import { showTab } from '../state/tab.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ProblemNotice } from '../ui/notice.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Section } from '../ui/section.tsx'
import { ModelsTools, ShadowNotice } from './models-tools.tsx'
import { PaymentQuestion } from './payment-question.tsx'
import { PoolCard } from './pool-card.tsx'
import { type Pool, poolsMirror, useReadAtNextChange } from './pools.ts'
import { StrategyQuestion } from './strategy-question.tsx'
import '../styles/models.css'

export function ModelsTab() {
  const { models: texts } = useTexts()
  const { value: pools, problem } = useMirror(poolsMirror)
  const [wanted, setWanted] = useState('')
  useReadAtNextChange(pools)
  if (pools === null) return <ProblemNotice problem={problem} />
  if (pools.length === 0) {
    const toProfiles = (
      <Button kind="primary" onPress={() => showTab('profiles')}>
        {texts.toProfiles}
      </Button>
    )
    return (
      <EmptyState title={texts.emptyTitle} action={toProfiles}>
        {texts.empty}
      </EmptyState>
    )
  }
  const text = wanted.trim()
  const found = pools.filter((pool) => has(pool, text.toLowerCase()))
  return (
    <>
      <ShadowNotice />
      <RuleList />
      <Section
        title={texts.title}
        count={found.length}
        action={
          <div className="models-tools">
            <ModelsTools />
            <SearchField label={texts.find} value={wanted} onChange={setWanted} />
          </div>
        }
      >
        {found.length === 0 ? (
          <EmptyState
            title={texts.nothingFound(text)}
            action={<Button onPress={() => setWanted('')}>{texts.clear}</Button>}
          />
        ) : (
          <div className="pools">
            {found.map((pool) => (
              <PoolCard key={pool.id} pool={pool} />
            ))}
          </div>
        )}
        <StrategyQuestion />
        <PaymentQuestion />
      </Section>
      <RuleDialog />
    </>
  )
}

function has({ model, tiers }: Pool, text: string): boolean {
  const backends = tiers.flat()
  const names = backends.flatMap(({ sourceLabel, upstreamModel, aliases }) => [sourceLabel, upstreamModel, ...aliases])
  return [model, ...names].some((name) => name.toLowerCase().includes(text))
}
