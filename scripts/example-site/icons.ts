import type { IconVariant } from '@iot/shared/contract/product/iconName'

/** Colours follow the floor plan: amber is lit, red is a fault, grey is off or unreachable. */
const colours: Record<'light' | 'other', Record<IconVariant, string>> = {
  light: { on: '#faad14', off: '#8c8c8c', offline: '#bfbfbf', fault: '#f5222d' },
  other: { on: '#1677ff', off: '#8c8c8c', offline: '#bfbfbf', fault: '#f5222d' },
}

/** Outlines on a grid of 24 by 24. */
const outlines = {
  light:
    'M9 18h6M10 21h4M12 3a6 6 0 0 0-4 10.5c.9.9 1 1.6 1 2.5h6c0-.9.1-1.6 1-2.5A6 6 0 0 0 12 3z',
  climate: 'M10 13.5V5a2 2 0 0 1 4 0v8.5a4 4 0 1 1-4 0zM12 9v8',
  presence: 'M12 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM5 20a7 7 0 0 1 14 0',
  meter: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 12l3.5-3.5M7 12h1M16 12h1',
  gateway: 'M4 9h16v8H4zM8 13h.01M12 13h5M12 9V5M9 5h6',
} as const
export type IconShape = keyof typeof outlines

export const drawIcon = (shape: IconShape, variant: IconVariant) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="${
    colours[shape === 'light' ? 'light' : 'other'][variant]
  }" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="${outlines[shape]}"/></svg>`
