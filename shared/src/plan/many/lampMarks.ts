import { getLastLightState, getLightState } from '../../contract/control/light'
import { matchesLightFilter, isCommandPending, type LiveDevice, type LightFilter } from '../lights'

/** Visual features of a lamp as bits: each occurring combination is painted once and reused. */
export const markBits = {
  on: 1,
  offline: 2,
  /** The state is not known; `on` tells the last one. */
  stale: 4,
  waiting: 8,
  protected: 16,
  faulty: 32,
  picked: 64,
  highlighted: 128,
  aside: 256,
  held: 512,
  inactive: 1024,
}
/** The bits from here on hold the number of the type's look; 0 is the default look. */
const lookShift = 11
export const maxLooks = 64

/** Returns the number of the look that the marks hold. */
export const decodeLook = (marks: number) => marks >> lookShift

type MarkOptions = {
  isPicked: boolean
  isHighlighted: boolean
  isFaulty: boolean
  only?: LightFilter
  /** The number identifies the look of the lamp's product type. */
  look?: number
}

export function encodeMarks(light: LiveDevice, options: MarkOptions) {
  const { isPicked, isHighlighted, isFaulty, only: lightFilter } = options
  const look = getLastLightState(light)
  const isUnknown = getLightState(light) === 'unknown'
  return (
    (look === 'on' ? markBits.on : 0) |
    (look === 'offline' ? markBits.offline : 0) |
    (look === 'inactive' ? markBits.inactive : 0) |
    (isUnknown ? markBits.stale : 0) |
    (isCommandPending(light) ? markBits.waiting : 0) |
    (light.protected ? markBits.protected : 0) |
    (light.override ? markBits.held : 0) |
    (isFaulty ? markBits.faulty : 0) |
    (isPicked ? markBits.picked : 0) |
    (isHighlighted ? markBits.highlighted : 0) |
    (lightFilter && !matchesLightFilter(light, lightFilter) ? markBits.aside : 0) |
    ((options.look ?? 0) << lookShift)
  )
}
