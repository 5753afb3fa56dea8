/** The Simplified Chinese table; a missing key does not compile. */
import type { Texts } from './en.ts'
import { access } from './zh/access.ts'
import { app } from './zh/app.ts'
import { calls } from './zh/calls.ts'
import { connecting } from './zh/connecting.ts'
import { losses } from './zh/losses.ts'
import { models } from './zh/models.ts'
import { outlook } from './zh/outlook.ts'
import { practice } from './zh/practice.ts'
import { profiles } from './zh/profiles.ts'
import { routes } from './zh/routes.ts'
import { said } from './zh/said.ts'
import { settings } from './zh/settings.ts'
import { ui } from './zh/ui.ts'

export const zh: Texts = {
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
