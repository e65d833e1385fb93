import type { Locator } from '@playwright/test'
import { expect, setTheme, test, visit } from './fixtures'
import { createManufacturerDraft, createUniqueName } from './listHelpers'

/** Computes the WCAG contrast between a text, or its placeholder, and its background. */
const measureContrast = (text: Locator, pseudo?: string) =>
  text.evaluate((element, pseudo) => {
    const parseColour = (colour: string) => {
      const [r = 0, g = 0, b = 0, a = 1] = colour.match(/[\d.]+/g)!.map(Number)
      return { rgb: [r, g, b], a }
    }
    const backgrounds = []
    for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement)
      backgrounds.unshift(parseColour(getComputedStyle(ancestor).backgroundColor))
    const blend = (base: number[], { rgb, a }: ReturnType<typeof parseColour>) =>
      base.map((part, i) => part * (1 - a) + rgb[i]! * a)
    const background = backgrounds.reduce(blend, [255, 255, 255])
    const foreground = blend(background, parseColour(getComputedStyle(element, pseudo).color))
    const [darker, lighter] = [background, foreground]
      .map((rgb) =>
        rgb
          .map((part) => part / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)),
      )
      .map(([r, g, b]) => 0.2126 * r! + 0.7152 * g! + 0.0722 * b!)
      .sort((a, b) => a - b)
    return (lighter! + 0.05) / (darker! + 0.05)
  }, pseudo)

test('keeps hints and states readable in both themes', async ({ operator: page, api }) => {
  const code = createUniqueName('ink')
  await api.post('/v1/manufacturer', { data: createManufacturerDraft({ code }) })
  await visit(page, `/deviceAccess/config/manufacturer?code=${code}`)
  await expect(page.getByRole('row', { name: new RegExp(code) })).toBeVisible()
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(page, theme)
    for (const text of [
      page.locator('.ant-tag').first(),
      page.getByRole('navigation', { name: '当前位置' }).locator('li').first(),
      page.getByRole('button', { name: '编辑' }).first(),
    ])
      await expect.poll(() => measureContrast(text)).toBeGreaterThan(4.5)
    const placeholder = page.getByPlaceholder('厂商名称')
    await expect.poll(() => measureContrast(placeholder, '::placeholder')).toBeGreaterThan(4.5)
  }
})
