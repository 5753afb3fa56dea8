/** Connecting the clients and taking it back. */
import { PointsmanError } from '../../shared/errors.ts'
import type { Clients } from '../clients/connect.ts'
import type { Way } from '../clients/ways.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'
import { setSmallModel, smallModel } from './small-model.ts'

type Place = Parameters<Clients['restore']>[0]

interface Given {
  readonly client: Place['client']
  readonly folder?: string | undefined
  readonly way?: Way | undefined
}

export function clients(deps: ApiDeps) {
  const { clients } = deps
  return {
    status: members.clients.status.handler(() => clients.all()),
    preview: members.clients.preview.handler(({ input }) => clients.preview(placeOf(input), input.way ?? 'own')),
    connect: members.clients.connect.handler(({ input }) => clients.connect(placeOf(input), input.way ?? 'own')),
    restore: members.clients.restore.handler(({ input }) => clients.restore(placeOf(input))),
    sdkPreview: members.clients.sdkPreview.handler(({ input }) => ({ lines: clients.sdkPreview(input.shell) })),
    sdk: members.clients.sdk.handler(({ input }) => clients.sdk(input.shell)),
    smallModel: members.clients.smallModel.handler(() => smallModel(deps)),
    setSmallModel: members.clients.setSmallModel.handler(({ input }) => setSmallModel(input.backendId, deps)),
  }
}

function placeOf({ client, folder, way }: Given): Place {
  if (folder !== undefined && client !== 'claude')
    throw new PointsmanError('invalid_input', { why: 'only Claude Code has settings of one folder' })
  if (way === 'base-url' && client !== 'codex')
    throw new PointsmanError('invalid_input', { why: 'only the Codex CLI has a second way' })
  return { client, folder: folder ?? null }
}
