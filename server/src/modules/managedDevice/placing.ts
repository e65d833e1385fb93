import { lightSwitch } from '@iot/shared/contract/light'
import type { Flash, managedDeviceApi } from '@iot/shared/contract/managedDevice'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import { treeOf } from '@iot/shared/contract/tree'
import type { FastifyInstance } from 'fastify'
import { found, missing } from '../../core/refusal'
import type { Context } from '../../core/serve/context'
import { idsOf, perRow } from '../../core/serve/perRow'
import type { Handlers } from '../../core/serve/serve'
import { mustView } from '../device/policy'
import { planOf } from '../space/policy'
import { placed } from './actions'
import { hangsElsewhere, refusePlace } from './policy'
import { managedDeviceQueries } from './queries'

type Placing = Pick<Handlers<typeof managedDeviceApi>, 'place' | 'onFloor'>
type Rows = ReturnType<typeof managedDeviceQueries>
/** Maximum number of devices without a floor in one answer. */
const shown = 2000

/** Handlers that read and change the positions of devices on a floor plan. */
export function placing({ db, devices }: FastifyInstance): Placing {
  async function mine(id: string, { seesProject }: Context, rows: Rows) {
    const floor = found(await rows.floor(id), '楼层')
    if (!seesProject(floor.projectId)) throw missing('楼层')
    const tree = treeOf(await rows.spaces(floor.projectId))
    const path = tree.path(id)
    return { floor, tree, place: path.map(({ name }) => name).join(' / '), above: idsOf(path) }
  }

  return {
    async onFloor({ floorId }, context) {
      const rows = managedDeviceQueries(db)
      const { floor, tree, place, above } = await mine(floorId, context, rows)
      const { projectId } = floor
      mustView(context, projectId)
      await devices.states.flush()
      const [here, { list, total }] = await Promise.all([
        rows.onFloor(projectId, floorId),
        rows.onNoFloor(projectId, above, shown),
      ])
      const all = [...here, ...list]
      const products = await rows.typed([...new Set(all.map(({ productId }) => productId))])
      return {
        projectId,
        projectRow: floor.projectRow,
        floor: { ...floor, plan: planOf(floor) },
        place,
        spaces: tree.ordered().filter(({ id }) => id !== floorId && tree.within(floorId).has(id)),
        products: products.map(({ model, ...of }) => ({ ...of, flash: flashOf(model) })),
        devices: all,
        left: total - list.length,
      }
    },

    place: ({ floorId, places }, context) =>
      context.write(managedDeviceQueries, async (rows, note) => {
        const { floor, above, place, tree } = await mine(floorId, context, rows)
        const wanted = new Map(places.map((one) => [one.id, one]))
        const inside = tree.within(floorId)
        const nameOf = (id: string | null) =>
          tree
            .path(id)
            .map(({ name }) => name)
            .join(' / ')
        const held = await rows.held([...wanted.keys()])
        const stood = new Map(held.map((row) => [row.id, row]))
        const seen = held.filter(({ projectId }) => context.seesProject(projectId))
        const answer = await perRow(
          [...wanted.keys()],
          seen,
          (row) => refusePlace(row, wanted.get(row.id)!, { ...floor, above, inside }),
          async (free) => {
            const hung = free.map(({ id }) => wanted.get(id)!)
            await rows.hang(floorId, hung, context.user.username)
            free.forEach((before, n) => {
              const { x, y, spaceId } = hung[n]!
              const came = before.floorId === null
              const isMoved = came || (spaceId !== undefined && spaceId !== before.spaceId)
              note(
                placed(before, {
                  before: { ...before, ...(isMoved && { place: nameOf(before.spaceId) }) },
                  after: { x, y, ...(isMoved && { place: spaceId ? nameOf(spaceId) : place }) },
                }),
              )
            })
          },
        )
        return answer.map((one) => {
          const row = stood.get(one.id)
          return one.reason === hangsElsewhere && row ? { ...one, now: row } : one
        })
      }),
  }
}

function flashOf({ services, properties }: ThingModel): Flash {
  if (services.some(({ identifier, inputData }) => identifier === 'Identify' && !inputData.length))
    return 'service'
  const isSwitch = ({ identifier, accessMode }: ThingModel['properties'][number]) =>
    identifier === lightSwitch && accessMode !== 'r'
  return properties.some(isSwitch) ? 'switch' : 'none'
}
