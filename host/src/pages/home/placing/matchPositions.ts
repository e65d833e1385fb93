import type { PlanPosition, MoveTarget } from './arrangement'

type MatchableDevice = { id: string; name: string; productType: string }
type PlacedDevice = MatchableDevice & { at: PlanPosition }

const nameCollator = new Intl.Collator('zh-CN', { numeric: true })
/** Returns the last number of a name: 7 for `3F-筒灯-07`. */
const getTrailingNumber = ({ name }: MatchableDevice) =>
  /(\d+)\D*$/.exec(name)?.[1]?.replace(/^0+(?=\d)/, '')

/**
 * Assigns devices to the positions of another floor: each to a device of its type with the same number in the name, or
 * in order of name if most numbers have no counterpart. Surplus devices are left out.
 */
export function matchPositions(
  devicesToPlace: MatchableDevice[],
  placedDevices: PlacedDevice[],
): MoveTarget[] {
  const types = new Set(devicesToPlace.map(({ productType }) => productType))
  return [...types].flatMap((type) => {
    const listOfType = <D extends MatchableDevice>(all: D[]) =>
      all
        .filter(({ productType }) => productType === type)
        .sort((a, b) => nameCollator.compare(a.name, b.name))
    return pairDevices(listOfType(devicesToPlace), listOfType(placedDevices))
  })
}

function pairDevices(
  devicesToPlace: MatchableDevice[],
  placedDevices: PlacedDevice[],
): MoveTarget[] {
  const [unplacedByNumber, placedByNumber] = [
    groupByUniqueNumber(devicesToPlace),
    groupByUniqueNumber(placedDevices),
  ]
  const pairs = [...unplacedByNumber].flatMap(
    ([number, one]): [MatchableDevice, PlacedDevice][] => {
      const other = placedByNumber.get(number)
      return other ? [[one, other]] : []
    },
  )
  const isNumbered = pairs.length * 2 > Math.min(devicesToPlace.length, placedDevices.length)
  const matchedPairs = isNumbered
    ? pairs
    : placedDevices.flatMap((other, n): [MatchableDevice, PlacedDevice][] =>
        devicesToPlace[n] ? [[devicesToPlace[n], other]] : [],
      )
  return matchedPairs.map(([{ id }, { at }]) => ({ id, to: at }))
}

/** Maps devices by number and leaves out numbers that occur more than once. */
function groupByUniqueNumber<D extends MatchableDevice>(devices: D[]) {
  const devicesByNumber = new Map<string, D[]>()
  for (const device of devices) {
    const number = getTrailingNumber(device)
    if (number) devicesByNumber.set(number, [...(devicesByNumber.get(number) ?? []), device])
  }
  return new Map(
    [...devicesByNumber].flatMap(([number, [one, ...more]]) =>
      more.length ? [] : [[number, one!]],
    ),
  )
}
