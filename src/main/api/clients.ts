/** Connecting the clients and taking it back. */
import { clientNames } from '../clients/connect.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'
import { setSmallModel, smallModel } from './small-model.ts'

export function clients(deps: ApiDeps) {
  return {
    status: members.clients.status.handler(() => Promise.all(clientNames.map((client) => deps.clients.status(client)))),
    preview: members.clients.preview.handler(({ input }) => deps.clients.preview(input.client)),
    connect: members.clients.connect.handler(({ input }) => deps.clients.connect(input.client)),
    restore: members.clients.restore.handler(({ input }) => deps.clients.restore(input.client)),
    smallModel: members.clients.smallModel.handler(() => smallModel(deps)),
    setSmallModel: members.clients.setSmallModel.handler(({ input }) => setSmallModel(input.backendId, deps)),
  }
}
