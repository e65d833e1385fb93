import { painterOn, type Colours } from '../../../shared/src/plan/many/painter'
import { radiusAt, size, type Candidate } from './candidate'

const colours: Colours = {
  ground: '#ffffff',
  line: '#8c8c8c',
  border: '#d9d9d9',
  text: '#000000',
  error: '#ff4d4f',
  primary: '#1677ff',
}
/** The painter takes these flags for a lamp that is on, off, offline or faulty. */
const marks = [1, 0, 2, 33]

/** Draws with the same painter that the floor plan uses for many lamps. */
export const draw: Candidate = (frame, lamps) => {
  const canvas = frame.appendChild(document.createElement('canvas'))
  const paint = painterOn(canvas)
  const all = {
    x: Float64Array.from(lamps, ({ x }) => x * size.width),
    y: Float64Array.from(lamps, ({ y }) => y * size.height),
    drawing: size,
    marks: Uint16Array.from(lamps, ({ look }) => marks[look]!),
  }
  return {
    change(some) {
      for (const n of some) all.marks[n] = marks[lamps[n]!.look]!
    },
    view: (scale, left, top) =>
      paint(all, { ...size, scale, left, top, size: radiusAt(scale, lamps.length) / 8.5 }, colours),
  }
}
