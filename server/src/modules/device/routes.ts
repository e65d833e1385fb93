import {
  deviceApi,
  type DeviceCard,
  type FoundDevice,
  type MapDevice,
} from '@iot/shared/contract/device'
import { matchesWords } from '@iot/shared/contract/matchesWords'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { refused } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { serve } from '../../core/serve/serve'
import { countLights } from '../../device-access/lights'
import { among } from './among'
import { mustSee, mustView } from './policy'
import { findProblems } from './problems'
import { deviceQueries, type Found, type Placed } from './queries'

/** Maximum number of devices in one answer for a whole project; a larger answer would delay other requests. */
const atOnce = 5000

/** Pages ask at the same moments after an event, so an answer is shared for this many milliseconds. */
const askedAgainAfter = 1500

export function deviceRoutes(app: FastifyInstance) {
  const queries = deviceQueries(app.db)
  const problems = new Map<string, { found: ReturnType<typeof findProblems>; until: number }>()

  const mine = async (id: string, context: Context) =>
    mustSee(context, await queries.card(id), '设备')

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
      const placeOf = (id: string) =>
        tree
          .path(id)
          .map(({ name }) => name)
          .join(' / ')
      const isIn = (place: string, phrase: string) =>
        matchesWords(place.replace(/\s/g, ''), phrase.replace(/\s/g, ''))
      const find = (phrases: string[]) =>
        queries.search(
          projectId,
          phrases.map((phrase) => ({
            text: phrase,
            spaceIds: spaces.flatMap(({ id }) => (isIn(placeOf(id), phrase) ? id : [])),
          })),
          most,
        )
      const phrase = text.normalize('NFKC').trim()
      const words = phrase.split(/\s+/)
      // The text as typed takes precedence over its words, so that `2 层` does not match lamp 2 of `1 层`.
      const asTyped = await find([phrase])
      const { list, ...rest } =
        asTyped.total > 0 || words.length === 1 ? asTyped : await find(words)
      return { ...rest, list: list.map(asFound) }
    },
    async named({ projectId, sentence }, context) {
      mustView(context, projectId)
      await app.devices.states.flush()
      return { list: (await queries.named(projectId, sentence)).map(asFound) }
    },
    async lights({ projectId }, context) {
      mustView(context, projectId)
      await app.devices.states.flush()
      return countLights(app.db, projectId)
    },
    async problems({ projectId, ...where }, context) {
      mustView(context, projectId)
      const key = [projectId, where.spaceId, where.groupId].join()
      const known = problems.get(key)
      if (known && known.until > Date.now()) return known.found
      await app.devices.states.flush()
      const found = among(app.db, projectId, where).then((some) =>
        findProblems(app.db, projectId, some),
      )
      problems.set(key, { found, until: Date.now() + askedAgainAfter })
      found.catch(() => problems.delete(key))
      return found
    },
    async floors({ projectId }, context) {
      mustView(context, projectId)
      await app.devices.states.flush()
      return queries.measures(projectId)
    },
    async types({ projectId, ...where }, context) {
      mustView(context, projectId)
      return queries.types(projectId, await among(app.db, projectId, where))
    },
    async card({ id }, context) {
      const { projectId, model, gatewayName, gatewayState, ...row } = await mine(id, context)
      return {
        ...row,
        gateway: gatewayName && gatewayState ? { name: gatewayName, state: gatewayState } : null,
        adjustable: model.properties.flatMap(asAdjustable),
        canIdentify: model.services.some(
          ({ identifier, inputData }) => identifier === 'Identify' && inputData.length === 0,
        ),
        powerUnit: unitOf(model, 'ActivePower'),
        last: await queries.lastCommand(projectId, id),
      }
    },
    async curve({ id, identifier }, context) {
      const { projectId } = await mine(id, context)
      return queries.curve(projectId, id, identifier)
    },
  })
}

/** A floor counts only if the device also has a position on its floor plan. */
const asFound = ({ x, y, floorId, spaceId, ...row }: Found): FoundDevice => ({
  ...row,
  spaceId: spaceId ?? '',
  floorId: x === null || y === null ? null : floorId,
})
const asOnMap = (row: Placed) => ({ ...row, spaceId: row.spaceId ?? '' }) as MapDevice

/** Writable properties that dim a lamp or change its colour temperature. */
const adjustable = ['Brightness', 'ColorTemperature']
function asAdjustable({
  identifier,
  name,
  accessMode,
  dataType,
}: ThingModel['properties'][number]): DeviceCard['adjustable'] {
  if (!adjustable.includes(identifier) || accessMode === 'r' || dataType.type !== 'int') return []
  const { min = 0, max = 100, step = 1, unit = '' } = dataType.specs
  return [{ identifier, name, min, max, step, unit }]
}

function unitOf({ properties }: ThingModel, identifier: string) {
  const found = properties.find((one) => one.identifier === identifier)?.dataType
  return found && 'specs' in found && 'unit' in found.specs ? String(found.specs.unit ?? '') : ''
}
