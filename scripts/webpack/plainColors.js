import { FastColor } from '@ant-design/fast-color'

/** Replaces the colour classes of antd's colour picker, which support gradients, by plain colours; see `host.ts`. */
export { FastColor as AggregationColor }
export const generateColor = (color) => new FastColor(color)

/** True if dark text is more legible on the colour; the weights are those of antd. */
export function isBright(color, background) {
  const { r, g, b, a } = color
  if (a <= 0.5) return color.onBackground(background).toHsv().v > 0.5
  return r * 0.299 + g * 0.587 + b * 0.114 > 192
}
