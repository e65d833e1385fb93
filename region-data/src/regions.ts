import { text } from '../data/regions.ts'
import { decode, type Regions } from './decode.ts'

let decoded: Regions | undefined

/** All three lists, decoded at the first call and kept. */
export const regions = () => (decoded ??= decode(text))
