import {
  type AdjustableProperty,
  type DeviceCard,
  type DeviceSearchResult,
  type MapDevice,
  deviceSchemas,
} from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import type { Output } from '@iot/shared/contract/endpoint'
import { matchesPath } from '@iot/shared/contract/matchesWords'
import { normalizeForSearch, toNarrowWidth } from '@iot/shared/contract/text'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { createMissingRefusal, createRefusal } from '../../../core/refusal'
import type { Context } from '../../../core/http/context'
import { serve } from '../../../core/http/serve'
import { countLights } from '../../../device-access/lightCounts'
import { whereInScope, type DeviceScope } from '../policy/deviceScope'
import { assertVisible, assertCanView } from '../policy/scope'
import { canSeeBackups, findBackupProblem } from '../../backup/policy'
import { addProblem, findIncidents } from './incidents'
import { deviceQueries, type FoundRow, type PlacedRow } from './queries'

/** Maximum number of devices in one answer for a whole project; a larger answer would delay other requests. */
const maxDevicesPerAnswer = 5000

/** Pages ask at the same moments after an event, so an answer is shared for this many milliseconds. */
const sharedAnswerMs = 1500

type DeviceQueries = ReturnType<typeof deviceQueries>
type CardRow = NonNullable<Awaited<ReturnType<DeviceQueries['findCard']>>>

/** Finds devices by the text as typed or, if there are none, by its words. */
async function searchDevices(
  queries: DeviceQueries,
  { projectId, text, most }: z.output<typeof deviceSchemas.search.input>,
): Promise<Output<typeof deviceApi.search>> {
  const spaces = await queries.listSpaces(projectId)
  const tree = createTree(spaces)
  const formatPlace = (id: string) => formatTreePath(tree, id)
  const matchesPlace = (place: string, phrase: string) =>
    matchesPath(place, normalizeForSearch(phrase))
  const find = (phrases: string[]) =>
    queries.search(
      projectId,
      phrases.map((phrase) => ({
        text: phrase,
        spaceIds: spaces.flatMap(({ id }) => (matchesPlace(formatPlace(id), phrase) ? id : [])),
      })),
      most,
    )
  const phrase = toNarrowWidth(text).trim()
  const words = phrase.split(/\s+/)
  // The text as typed takes precedence over its words, so that `2 层` does not match lamp 2 of `1 层`.
  const exactResult = await find([phrase])
  const { list, ...rest } =
    exactResult.total > 0 || words.length === 1 ? exactResult : await find(words)
  return { ...rest, list: list.map(toFoundDevice) }
}

/** Reads the devices with a problem; calls with the same filter share one answer for a moment. */
function createIncidentReader(app: FastifyInstance) {
  const cachedProblems = new Map<
    string,
    { found: ReturnType<typeof findIncidents>; until: number }
  >()

  return async (projectId: number, where: DeviceScope) => {
    const key = [projectId, where.spaceId, where.groupId].join()
    const cached = cachedProblems.get(key)
    if (cached && cached.until > Date.now()) return cached.found
    await app.devices.states.flush()
    const pendingAnswer = whereInScope(app.db, projectId, where).then((scopeCondition) =>
      findIncidents(app.db, projectId, scopeCondition),
    )
    cachedProblems.set(key, { found: pendingAnswer, until: Date.now() + sharedAnswerMs })
    pendingAnswer.catch(() => cachedProblems.delete(key))
    return pendingAnswer
  }
}

const toCard = (
  { projectId: _, model, gatewayName, gatewayState, ...row }: CardRow,
  history: Pick<DeviceCard, 'since' | 'last'>,
): DeviceCard => ({
  ...row,
  ...history,
  gateway: gatewayName && gatewayState ? { name: gatewayName, state: gatewayState } : null,
  adjustable: model.properties.flatMap(toAdjustableProperties),
  canIdentify: model.services.some(
    ({ identifier, inputData, isDeprecated }) =>
      identifier === 'Identify' && inputData.length === 0 && !isDeprecated,
  ),
  powerUnit: getUnit(model, 'ActivePower'),
})

export function deviceRoutes(app: FastifyInstance) {
  const queries = deviceQueries(app.db)
  const readIncidents = createIncidentReader(app)

  const getVisibleCard = async (id: string, context: Context) =>
    assertVisible(context, await queries.findCard(id), '设备')

  serve(app, deviceApi, deviceSchemas, {
    actionModes: async () =>
      (await queries.listProductTypes()).flatMap(({ code, name: typeName, showOnHome, actions }) =>
        actions.map((action) => ({ productType: code, typeName, showOnHome, ...action })),
      ),
    async mapInfo({ projectId, floorId }, context) {
      assertCanView(context, projectId)
      await app.devices.states.flush()
      const scope = projectId === undefined ? context.projectScope : [projectId]
      const rows = await queries.listPlaced(
        scope,
        floorId,
        floorId ? undefined : maxDevicesPerAnswer + 1,
      )
      if (!floorId && rows.length > maxDevicesPerAnswer)
        throw createRefusal(`设备超过 ${maxDevicesPerAnswer} 台，请用 floorId 按楼层读取`)
      return { map: Object.fromEntries(rows.map((row) => [row.id, toMapDevice(row)])) }
    },
    async search(input, context) {
      assertCanView(context, input.projectId)
      await app.devices.states.flush()
      return searchDevices(queries, input)
    },
    async named({ projectId, sentence }, context) {
      assertCanView(context, projectId)
      await app.devices.states.flush()
      return { list: (await queries.findMentioned(projectId, sentence)).map(toFoundDevice) }
    },
    async lights({ projectId }, context) {
      assertCanView(context, projectId)
      await app.devices.states.flush()
      return countLights(app.db, projectId)
    },
    async problems({ projectId, ...where }, context) {
      assertCanView(context, projectId)
      const incidents = await readIncidents(projectId, where)
      // Backups concern the whole platform, so a filter by place or group omits them.
      if (where.spaceId || where.groupId || !canSeeBackups(context)) return incidents
      const problem = await findBackupProblem(app.db, app.settings.backup)
      return problem
        ? addProblem(incidents, { kind: 'backup', name: '备份', ...problem })
        : incidents
    },
    async floors({ projectId }, context) {
      assertCanView(context, projectId)
      await app.devices.states.flush()
      return queries.measureFloors(projectId)
    },
    async types({ projectId, ...where }, context) {
      assertCanView(context, projectId)
      return queries.countByType(projectId, await whereInScope(app.db, projectId, where))
    },
    async card({ id }, context) {
      const row = await getVisibleCard(id, context)
      const [since, last] = await Promise.all([
        queries.findSwitchTime(row.projectId, id),
        queries.findLastCommand(row.projectId, id),
      ])
      return toCard(row, { since, last })
    },
    async adjustable({ projectId, deviceIds }, context) {
      assertCanView(context, projectId)
      const rows = await queries.listModels(projectId, deviceIds)
      if (rows.length < new Set(deviceIds).size) throw createMissingRefusal('设备')
      return { list: listAdjustableProperties(rows) }
    },
    async curve({ id, identifier }, context) {
      const { projectId } = await getVisibleCard(id, context)
      return queries.averageHistory(projectId, id, identifier)
    },
  })
}

/** A floor counts only if the device also has a position on its floor plan. */
const toFoundDevice = ({ x, y, floorId, spaceId, ...row }: FoundRow): DeviceSearchResult => ({
  ...row,
  spaceId: spaceId ?? '',
  floorId: x === null || y === null ? null : floorId,
})
const toMapDevice = (row: PlacedRow) => ({ ...row, spaceId: row.spaceId ?? '' }) as MapDevice

/** Writable properties that dim a lamp or change its colour temperature. */
const adjustableIdentifiers = ['Brightness', 'ColorTemperature']
function toAdjustableProperties({
  identifier,
  name,
  accessMode,
  dataType,
  isDeprecated,
}: ThingModel['properties'][number]): AdjustableProperty[] {
  if (
    isDeprecated ||
    !adjustableIdentifiers.includes(identifier) ||
    accessMode === 'r' ||
    dataType.type !== 'int'
  )
    return []
  const { min = 0, max = 100, step = 1, unit = '' } = dataType.specs
  return [{ identifier, name, min, max, step, unit }]
}

/** Groups devices by the adjustable properties of their models; the limits suit every device of a group. */
function listAdjustableProperties(rows: { id: string; model: ThingModel }[]) {
  const groups = new Map<string, AdjustableProperty & { deviceIds: string[] }>()
  for (const { id, model } of rows)
    for (const property of model.properties.flatMap(toAdjustableProperties)) {
      const group = groups.get(property.identifier) ?? { ...property, deviceIds: [] }
      groups.set(property.identifier, group)
      group.min = Math.max(group.min, property.min)
      group.max = Math.min(group.max, property.max)
      group.step = Math.max(group.step, property.step)
      group.deviceIds.push(id)
    }
  return adjustableIdentifiers
    .flatMap((identifier) => groups.get(identifier) ?? [])
    .filter(({ min, max }) => min < max)
}

function getUnit({ properties }: ThingModel, identifier: string) {
  const valueType = properties.find((property) => property.identifier === identifier)?.dataType
  return valueType && 'specs' in valueType && 'unit' in valueType.specs
    ? String(valueType.specs.unit ?? '')
    : ''
}
