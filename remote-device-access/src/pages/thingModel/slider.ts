import type { Widget } from '@iot/shared/contract/controlType'
import type { DataType } from '@iot/shared/contract/thingModel'

/** More positions than a hand can tell apart. */
const positions = 1000

/**
 * The slider a number becomes; none where it has no bounds, or where nobody asked for one and it has too many positions
 * to set each. One that was asked for then goes in larger steps.
 */
export function sliderOf(dataType: DataType, widget?: Widget) {
  if (dataType.type !== 'int' && dataType.type !== 'float' && dataType.type !== 'double')
    return undefined
  const { min, max, step = dataType.type === 'int' ? 1 : undefined } = dataType.specs
  if (widget === 'number' || min === undefined || max === undefined || !step) return undefined
  const passed = Math.ceil((max - min) / step / positions)
  return passed <= 1 || widget === 'slider'
    ? // What binary fractions add, 0.1 * 3 being a little more than 0.3, would go to the device.
      { min, max, step: Number((step * Math.max(1, passed)).toPrecision(12)) }
    : undefined
}
