import { createPainter, type PaintColours } from '../../../shared/src/plan/many/painter'
import { getLampRadius, size, type Candidate } from './candidate'

const colours: PaintColours = {
  ground: '#ffffff',
  line: '#8c8c8c',
  border: '#d9d9d9',
  text: '#000000',
  error: '#ff4d4f',
  primary: '#1677ff',
}
/** The painter takes these flags for a lamp that is on, off, offline or faulty. */
const flagsByLook = [1, 0, 2, 33]

/** Draws with the same painter that the floor plan uses for many lamps. */
export const draw: Candidate = (frame, lamps) => {
  const canvas = frame.appendChild(document.createElement('canvas'))
  const paint = createPainter(canvas)
  const lampData = {
    x: Float64Array.from(lamps, ({ x }) => x * size.width),
    y: Float64Array.from(lamps, ({ y }) => y * size.height),
    drawing: size,
    marks: Uint16Array.from(lamps, ({ look }) => flagsByLook[look]!),
  }
  return {
    change(changedIndexes) {
      for (const n of changedIndexes) lampData.marks[n] = flagsByLook[lamps[n]!.look]!
    },
    view: (scale, offsetX, offsetY) =>
      paint(
        lampData,
        {
          ...size,
          scale,
          left: offsetX,
          top: offsetY,
          size: getLampRadius(scale, lamps.length) / 8.5,
        },
        colours,
      ),
  }
}
