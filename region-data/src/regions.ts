import { text } from '../data/regions.ts'
import { decode, type Regions } from './decode.ts'

let decodedRegions: Regions | undefined

/** Returns all three lists, which are decoded at the first call. */
export const loadRegions = () => (decodedRegions ??= decode(text))
