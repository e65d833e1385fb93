import { darkPanelColour, getContrast, lightenForDarkTheme } from './colour'

it('computes the contrast of WCAG', () => {
  expect(getContrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(getContrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

it.each(['#000000', '#001529', '#1a66d6', '#00695c', '#b71c1c', '#4a148c', '#767676'])(
  'makes %s visible on a dark ground and keeps white text on it readable',
  (colour) => {
    const lightened = lightenForDarkTheme(colour)
    expect(getContrast(lightened, darkPanelColour)).toBeGreaterThanOrEqual(3)
    expect(getContrast(lightened, '#ffffff')).toBeGreaterThanOrEqual(4.5)
  },
)

it('keeps a colour that is visible already', () => {
  expect(lightenForDarkTheme('#1a66d6')).toBe('#1a66d6')
})
