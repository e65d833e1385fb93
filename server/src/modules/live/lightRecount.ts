import type { LiveState, SpaceLights } from '@iot/shared/contract/device/device.schema'
import { getLightState, noLights } from '@iot/shared/contract/control/light'
import { logError, runInBackground } from '../../core/db/outage'
import { getLightSpaceId } from '../../device-access/lightCounts'

/** Minimum pause in milliseconds between two counts of a project's lights, for bulk commands. */
const countIntervalMs = 1000

export type CountLights = (
  projectId: number,
  filter: { spaceIds?: string[]; floorIds?: string[] },
) => Promise<SpaceLights[]>

/** Counts the lights of a project again where they have changed and publishes the counts. */
export function createLightRecount(
  projectId: number,
  countLights: CountLights,
  publishSpaces: (spaces: SpaceLights[]) => void,
) {
  /** Light state and space of each device when it was last counted. */
  const lightStates = new Map<string, string>()
  /** Spaces whose lights must be counted again, with their floors. */
  let pendingSpaces = new Map<string, string>()
  /** Requests a count of all spaces, including those that were reported before and now have no lights. */
  let needsFullCount = false
  /** Spaces whose counts have been published. */
  const publishedSpaces = new Set<string>()
  let countTimer: NodeJS.Timeout | undefined
  let isClosed = false

  async function recount() {
    const spacesToCount = pendingSpaces
    const isFullCount = needsFullCount
    pendingSpaces = new Map()
    needsFullCount = false
    try {
      const spaceFilter = {
        spaceIds: [...spacesToCount.keys()],
        floorIds: [...new Set(spacesToCount.values())],
      }
      const lightCounts = await countLights(projectId, isFullCount ? {} : spaceFilter)
      for (const id of isFullCount
        ? lightCounts.map(({ spaceId }) => spaceId)
        : spaceFilter.spaceIds)
        publishedSpaces.add(id)
      const spaceIds = isFullCount ? [...publishedSpaces] : spaceFilter.spaceIds
      publishSpaces(
        spaceIds.map(
          (spaceId) =>
            lightCounts.find((count) => count.spaceId === spaceId) ?? { ...noLights, spaceId },
        ),
      )
    } catch (error) {
      logError('灯没有统计到', error)
      pendingSpaces = new Map([...spacesToCount, ...pendingSpaces])
      needsFullCount ||= isFullCount
    }
    countTimer = undefined
    schedule(countIntervalMs)
  }

  function schedule(delayMs: number) {
    if ((pendingSpaces.size > 0 || needsFullCount) && !isClosed)
      countTimer ??= setTimeout(() => runInBackground(recount(), '灯没有统计到'), delayMs)
  }

  return {
    /** Requests a count of the device's space if its light state or space has changed. */
    noteState(state: LiveState, spaceId: string | null, floorId: string | null) {
      const countedSpace = getLightSpaceId({ spaceId, floorId })
      const lightState = `${getLightState(state)} ${countedSpace}`
      if (lightStates.get(state.id) === lightState) return
      lightStates.set(state.id, lightState)
      pendingSpaces.set(countedSpace, floorId ?? '')
    },
    requestFullCount() {
      needsFullCount = true
    },
    schedule,
    close() {
      isClosed = true
      clearTimeout(countTimer)
    },
  }
}
