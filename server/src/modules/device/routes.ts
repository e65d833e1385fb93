import { deviceApi, type MapDevice } from '@iot/shared/contract/device'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { refused } from '../../core/refusal'
import { serve } from '../../core/serve/serve'
import { countLights } from '../../device-access/lights'
import { mustView } from './policy'
import { deviceQueries, type Placed } from './queries'

/** Of a whole project; more of them would keep everybody else waiting. */
const atOnce = 5000

export function deviceRoutes(app: FastifyInstance) {
  const queries = deviceQueries(app.db)

  serve(app, deviceApi, {
    actionModes: async () =>
      (await queries.productTypes()).flatMap(({ code, name: typeName, showOnHome, actions }) =>
        actions.map((action) => ({ productType: code, typeName, showOnHome, ...action })),
      ),
    async mapInfo({ projectId, floorId }, context) {
      mustView(context, projectId)
      await app.devices.states.flush()
      const scope = projectId === undefined ? context.projectScope : [projectId]
      const rows = await queries.placed(scope, floorId, floorId ? undefined : atOnce + 1)
      if (!floorId && rows.length > atOnce)
        throw refused(`设备超过 ${atOnce} 台，请用 floorId 按楼层读取`)
      return { map: Object.fromEntries(rows.map((row) => [row.id, asOnMap(row)])) }
    },
    async search({ projectId, text, most }, context) {
      mustView(context, projectId)
      await app.devices.states.flush()
      const spaces = await queries.spaces(projectId)
      const tree = treeOf(spaces)
      const words = text.toLowerCase()
      const isNamedSo = ({ id }: { id: string }) =>
        tree
          .path(id)
          .map(({ name }) => name)
          .join(' / ')
          .toLowerCase()
          .includes(words)
      const within = spaces.filter(isNamedSo).map(({ id }) => id)
      const { list, ...rest } = await queries.search(projectId, text, within, most)
      return { ...rest, list: list.map(asOnMap) }
    },
    async lights({ projectId }, context) {
      mustView(context, projectId)
      await app.devices.states.flush()
      return countLights(app.db, projectId)
    },
  })
}

const asOnMap = (row: Placed) => ({ ...row, spaceId: row.spaceId ?? '' }) as MapDevice
