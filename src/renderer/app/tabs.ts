/** The tabs that exist, in their order; a part is added here and nowhere else. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

export interface Tab {
  /** Also its name in the address and in `texts.app.tabs`. */
  readonly id: 'profiles' | 'models' | 'calls'
  readonly Page: LazyExoticComponent<ComponentType>
}

export const tabs: readonly Tab[] = [
  {
    id: 'profiles',
    Page: lazy(async () => ({ default: (await import('../profiles/profiles-tab.tsx')).ProfilesTab })),
  },
  {
    id: 'models',
    Page: lazy(async () => ({ default: (await import('../models/models-tab.tsx')).ModelsTab })),
  },
  {
    id: 'calls',
    Page: lazy(async () => ({ default: (await import('../calls/calls-tab.tsx')).CallsTab })),
  },
]
