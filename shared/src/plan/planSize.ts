import type { Space } from '../contract/project/project.schema'

export type PlanSize = { width: number; height: number }

export const getPlanSize = ({
  planWidth,
  planHeight,
}: Pick<Space, 'planWidth' | 'planHeight'>): PlanSize => ({
  width: planWidth ?? 1200,
  height: planHeight ?? 720,
})

/** Share of the distance to the next device that the radius of a device may take. */
const maxRadiusShare = 0.45 / 16

/** Returns the average distance of devices, and the unit size at which they do not cover each other. */
export function measureDensity({ width, height }: PlanSize, deviceCount: number) {
  const spacing = Math.sqrt((width * height) / Math.max(1, deviceCount))
  return { spacing, maxUnit: spacing * maxRadiusShare }
}
