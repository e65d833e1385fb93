/** Colour of the product, used if the platform has none of its own. */
export const defaultThemeColour = '#1a66d6'
/** Ground of panels in the dark theme. */
export const darkPanelColour = '#151b23'
/** WCAG 2.2 AA: contrast of text, and of a filled area beside its ground. */
export const minTextContrast = 4.5
const minAreaContrast = 3

const toChannels = (hex: string) =>
  [1, 3, 5].map((start) => parseInt(hex.slice(start, start + 2), 16))
const toHex = (channels: number[]) =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** Returns the relative luminance of a colour `#rrggbb`, by WCAG 2.2. */
function getLuminance(hex: string) {
  const [red = 0, green = 0, blue = 0] = toChannels(hex)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of two colours `#rrggbb`, from 1 to 21. */
export function getContrast(first: string, second: string) {
  const [darker = 0, lighter = 0] = [getLuminance(first), getLuminance(second)].sort(
    (a, b) => a - b,
  )
  return (lighter + 0.05) / (darker + 0.05)
}

const mixWithWhite = (hex: string, share: number) =>
  toHex(toChannels(hex).map((channel) => channel + (255 - channel) * share))

/**
 * Lightens a colour with white for the dark theme until it contrasts with `ground`. A colour that carries white text
 * still carries it afterwards, because both limits leave a range between them.
 */
export function lightenForDarkTheme(hex: string, minContrast = minAreaContrast) {
  for (let share = 0; share < 1; share += 0.01) {
    const colour = mixWithWhite(hex, share)
    if (getContrast(colour, darkPanelColour) >= minContrast) return colour
  }
  return '#ffffff'
}
