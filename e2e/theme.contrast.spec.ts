import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures'
import { draft, unique } from './lists'

/** Computes the WCAG contrast between a text, or its placeholder, and its background. */
const contrast = (text: Locator, pseudo?: string) =>
  text.evaluate((element, pseudo) => {
    const read = (colour: string) => {
      const [r = 0, g = 0, b = 0, a = 1] = colour.match(/[\d.]+/g)!.map(Number)
      return { rgb: [r, g, b], a }
    }
    const grounds = []
    for (let at: Element | null = element; at; at = at.parentElement)
      grounds.unshift(read(getComputedStyle(at).backgroundColor))
    const over = (below: number[], { rgb, a }: ReturnType<typeof read>) =>
      below.map((part, i) => part * (1 - a) + rgb[i]! * a)
    const ground = grounds.reduce(over, [255, 255, 255])
    const ink = over(ground, read(getComputedStyle(element, pseudo).color))
    const [low, high] = [ground, ink]
      .map((rgb) =>
        rgb
          .map((part) => part / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)),
      )
      .map(([r, g, b]) => 0.2126 * r! + 0.7152 * g! + 0.0722 * b!)
      .sort((a, b) => a - b)
    return (high! + 0.05) / (low! + 0.05)
  }, pseudo)

for (const theme of ['light', 'dark'])
  test(`keeps hints and states readable, ${theme}`, async ({ newcomer: page, api }) => {
    const code = unique('ink')
    await api.post('/v1/manufacturer', { data: draft({ code }) })
    await page.addInitScript((theme) => localStorage.setItem('theme', JSON.stringify(theme)), theme)
    await page.goto(`/deviceAccess/config/manufacturer?code=${code}`)
    await expect(page.getByRole('row', { name: new RegExp(code) })).toBeVisible()
    for (const text of [
      page.locator('.ant-tag').first(),
      page.getByRole('navigation', { name: '当前位置' }).locator('li').first(),
      page.getByRole('button', { name: '编辑' }).first(),
    ])
      expect(await contrast(text)).toBeGreaterThan(4.5)
    expect(await contrast(page.getByPlaceholder('厂商名称'), '::placeholder')).toBeGreaterThan(4.5)
  })
