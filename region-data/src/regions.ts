import { text } from '../data/regions.ts'
import { decode, type Regions } from './decode.ts'

let decoded: Regions | undefined

/** Returns all three lists, which are decoded at the first call. */
export const regions = () => (decoded ??= decode(text))
