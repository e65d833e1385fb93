/** `look` is the index of on, off, offline or faulty. */
export type Lamp = { x: number; y: number; look: number }
export const size = { width: 900, height: 540 }
/** Returns the radius of a lamp on the screen in pixels; densely placed lamps get a share of the space. */
export const getLampRadius = (scale: number, count: number) =>
  Math.min(8.5, 0.24 * scale * Math.sqrt((size.width * size.height) / count))

export type MapDrawing = {
  change: (lamps: number[]) => void
  /** Sets the transform as d3 defines it: a point `x` of the drawing appears at `x * scale + left` on the screen. */
  view: (scale: number, offsetX: number, offsetY: number) => void
}
/** Draws all lamps; the `look` of some changes later. */
export type Candidate = (frame: HTMLElement, lamps: Lamp[]) => MapDrawing | Promise<MapDrawing>
