import { FastColor } from '@ant-design/fast-color'

/** Takes the place of the colour picker's colours, which may be gradients, where antd needs plain ones; see `host.ts`. */
export { FastColor as AggregationColor }
export const generateColor = (color) => new FastColor(color)

/** Whether dark text is read better on a colour; the same weights as antd's. */
export function isBright(color, background) {
  const { r, g, b, a } = color
  if (a <= 0.5) return color.onBackground(background).toHsv().v > 0.5
  return r * 0.299 + g * 0.587 + b * 0.114 > 192
}
