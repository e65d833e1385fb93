import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import type {
  FlashMethod,
  managedDeviceSchemas,
} from '@iot/shared/contract/device/managedDevice.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { createTree, formatTreePath } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { nameAuthors } from '../../core/db/personNames'
import { requireRow, createMissingRefusal } from '../../core/refusal'
import type { Context } from '../../core/http/context'
import { getIds, applyPerRow } from '../../core/http/applyPerRow'
import type { Handlers } from '../../core/http/serve'
import { assertCanView } from './policy/scope'
import { getPlanUrl } from '../space/policy'
import { toPlacementAuditEntry } from './actions'
import { movedByOthersReason, getPlacementRefusal } from './policy/management'
import { managedDeviceQueries } from './queries'

type PlacementHandlers = Pick<Handlers<typeof managedDeviceSchemas>, 'place' | 'onFloor'>
type Queries = ReturnType<typeof managedDeviceQueries>
/** Maximum number of devices without a floor in one answer. */
const maxUnplacedDevices = 2000

/** Handlers that read and change the positions of devices on a floor plan. */
export function createPlacementHandlers({ db, devices }: FastifyInstance): PlacementHandlers {
  async function loadVisibleFloor(id: string, { seesProject }: Context, rows: Queries) {
    const floor = requireRow(await rows.findFloor(id), '楼层')
    if (!seesProject(floor.projectId)) throw createMissingRefusal('楼层')
    const tree = createTree(await rows.spaces(floor.projectId))
    const path = tree.path(id)
    return { floor, tree, place: path.map(({ name }) => name).join(' / '), above: getIds(path) }
  }

  return {
    async onFloor({ floorId }, context) {
      const rows = managedDeviceQueries(db)
      const { floor, tree, place, above } = await loadVisibleFloor(floorId, context, rows)
      const { projectId } = floor
      assertCanView(context, projectId)
      await devices.states.flush()
      const [devicesOnFloor, { list, total }] = await Promise.all([
        rows.findOnFloor(projectId, floorId),
        rows.findWithoutFloor(projectId, above, maxUnplacedDevices),
      ])
      const allDevices = [...devicesOnFloor, ...list]
      const products = await rows.findProductsWithType([
        ...new Set(allDevices.map(({ productId }) => productId)),
      ])
      return {
        projectId,
        projectRow: floor.projectRow,
        floor: { ...floor, plan: getPlanUrl(floor) },
        place,
        spaces: tree.ordered().filter(({ id }) => id !== floorId && tree.within(floorId).has(id)),
        products: products.map(({ model, ...of }) => ({ ...of, flash: getFlashKind(model) })),
        devices: allDevices,
        left: total - list.length,
      }
    },

    place: ({ floorId, places }, context) =>
      context.write(managedDeviceQueries, async (rows, recordAudit, tx) => {
        const { floor, above, place, tree } = await loadVisibleFloor(floorId, context, rows)
        const placesById = new Map(places.map((item) => [item.id, item]))
        const spaceIdsOnFloor = tree.within(floorId)
        const formatPath = (id: string | null) => formatTreePath(tree, id)
        const lockedRows = await rows.lockDevices([...placesById.keys()])
        const visibleRows = lockedRows.filter(({ projectId }) => context.seesProject(projectId))
        const answer = await applyPerRow(
          [...placesById.keys()],
          visibleRows,
          (row) =>
            getPlacementRefusal(row, placesById.get(row.id)!, {
              ...floor,
              above,
              inside: spaceIdsOnFloor,
            }),
          async (placeableRows) => {
            const newPlaces = placeableRows.map(({ id }) => placesById.get(id)!)
            await rows.placeOnFloor(floorId, newPlaces, context.user.username)
            placeableRows.forEach((previousRow, index) => {
              const { x, y, spaceId } = newPlaces[index]!
              const isNewOnFloor = previousRow.floorId === null
              const isMoved =
                isNewOnFloor || (spaceId !== undefined && spaceId !== previousRow.spaceId)
              recordAudit(
                toPlacementAuditEntry(previousRow, {
                  before: {
                    ...previousRow,
                    ...(isMoved && { place: formatPath(previousRow.spaceId) }),
                  },
                  after: { x, y, ...(isMoved && { place: spaceId ? formatPath(spaceId) : place }) },
                }),
              )
            })
          },
        )
        const movedIds = answer
          .filter(({ reason }) => reason === movedByOthersReason)
          .map(({ id }) => id)
        const movedRows = await nameAuthors(
          tx,
          visibleRows.filter(({ id }) => movedIds.includes(id)),
          'updateBy',
        )
        return answer.map((result) => {
          const movedRow = movedRows.find(({ id }) => id === result.id)
          return movedRow
            ? { ...result, now: { ...movedRow, place: formatPath(movedRow.spaceId) } }
            : result
        })
      }),
  }
}

function getFlashKind({ services, properties }: ThingModel): FlashMethod {
  if (services.some(({ identifier, inputData }) => identifier === 'Identify' && !inputData.length))
    return 'service'
  const isSwitch = ({ identifier, accessMode }: ThingModel['properties'][number]) =>
    identifier === lightSwitchIdentifier && accessMode !== 'r'
  return properties.some(isSwitch) ? 'switch' : 'none'
}
