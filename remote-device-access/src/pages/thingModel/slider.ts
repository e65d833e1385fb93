import type { Widget } from '@iot/shared/contract/product/controlType.schema'
import type { DataType } from '@iot/shared/contract/thingModel/thingModel.schema'

/** A finer slider than this cannot be operated by hand. */
const maxSliderPositions = 1000

/**
 * Returns the slider for a number, or `undefined` if it has no limits. Without an explicit widget it also returns
 * `undefined` if there are too many positions; an explicit slider uses larger steps instead.
 */
export function getSliderRange(dataType: DataType, widget?: Widget) {
  if (dataType.type !== 'int' && dataType.type !== 'float' && dataType.type !== 'double')
    return undefined
  const { min, max, step = dataType.type === 'int' ? 1 : undefined } = dataType.specs
  if (widget === 'number' || min === undefined || max === undefined || !step) return undefined
  const stepMultiple = Math.ceil((max - min) / step / maxSliderPositions)
  return stepMultiple <= 1 || widget === 'slider'
    ? // Rounding removes the binary error of products such as 0.1 * 3, which would be sent to the device.
      { min, max, step: Number((step * Math.max(1, stepMultiple)).toPrecision(12)) }
    : undefined
}
