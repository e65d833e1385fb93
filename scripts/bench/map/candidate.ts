/** `look`: on, off, offline, faulty. */
export type Lamp = { x: number; y: number; look: number }
export const size = { width: 900, height: 540 }
/** Of a lamp on the screen; where they stand close it takes its share of the space. */
export const radiusAt = (scale: number, count: number) =>
  Math.min(8.5, 0.24 * scale * Math.sqrt((size.width * size.height) / count))

export type Drawn = {
  change: (lamps: number[]) => void
  /** As d3 has it: a point of the drawing is on the screen at `x * scale + left`. */
  view: (scale: number, left: number, top: number) => void
}
/** Draws each of the lamps; `look` of some changes later. */
export type Candidate = (frame: HTMLElement, lamps: Lamp[]) => Drawn | Promise<Drawn>
