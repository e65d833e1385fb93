/** Loads its data and picker when it is first shown. */
export { RegionField } from './region/RegionField'
