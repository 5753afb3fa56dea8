/** The English table; its type is the one that every other language must fill. */
import { access } from './en/access.ts'
import { app } from './en/app.ts'
import { calls } from './en/calls.ts'
import { connecting } from './en/connecting.ts'
import { losses } from './en/losses.ts'
import { models } from './en/models.ts'
import { outlook } from './en/outlook.ts'
import { practice } from './en/practice.ts'
import { profiles } from './en/profiles.ts'
import { routes } from './en/routes.ts'
import { said } from './en/said.ts'
import { settings } from './en/settings.ts'
import { ui } from './en/ui.ts'

export const en = {
  access,
  app,
  ui,
  calls,
  losses,
  models,
  outlook,
  profiles,
  routes,
  said,
  settings,
  practice,
  connecting,
}

export type Texts = typeof en
