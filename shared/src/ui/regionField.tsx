/** The field loads its data and picker when it is first shown. */
export { RegionField } from './region/RegionField'
export type { AddressParts } from './region/RegionPicker'
export { AddressField } from './region/AddressField'
export { AddressItems } from './region/AddressItems'
