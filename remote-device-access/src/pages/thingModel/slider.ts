import type { DataType } from '@iot/shared/contract/thingModel'

/** More positions than a hand can tell apart. */
const positions = 1000

/** The slider a number becomes; none where it has no bounds, or too many positions between them. */
export function sliderOf(dataType: DataType) {
  if (dataType.type !== 'int' && dataType.type !== 'float' && dataType.type !== 'double')
    return undefined
  const { min, max, step = dataType.type === 'int' ? 1 : undefined } = dataType.specs
  if (min === undefined || max === undefined || !step || (max - min) / step > positions)
    return undefined
  return { min, max, step }
}
