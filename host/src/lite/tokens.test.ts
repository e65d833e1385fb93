import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import theme from 'antd/es/theme'
import { deriveColours, defaultThemeColor } from '@iot/shared/ui/theme'

// antd's locale is an ES module, which Jest cannot load here.
jest.mock('antd/es/locale/zh_CN', () => ({}))

const sheet = readFileSync(join(__dirname, 'tokens.css'), 'utf8')

/** Reads the variables `--ant-color-text: …` below a selector, keyed by antd's token names. */
function readVariables(selector: string) {
  const [, block = ''] = sheet.split(`:where(${selector}) {`)
  const lines = block.slice(0, block.indexOf('\n}')).matchAll(/--([\w-]+):\s*([^;]+);/g)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}
const toAntdTokenName = (name: string) =>
  name.replace('ant-', '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const stripSpaces = (colour: string) => colour.replace(/\s/g, '')

describe.each([
  ['html', false],
  ['html.iot-dark', true],
])('the design tokens before antd has loaded, %s', (selector, isDark) => {
  const variables = readVariables(selector)
  const tokens = theme.getDesignToken({
    algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    token: deriveColours(defaultThemeColor, isDark).token,
  }) as unknown as Record<string, string>
  const fixedVariables = Object.entries(variables).filter(
    ([name, value]) => name.startsWith('ant-') && !/var\(|BlinkMac/.test(value),
  )

  it.each(fixedVariables)('have the %s of antd', (name, value) => {
    expect(stripSpaces(value)).toBe(stripSpaces(tokens[toAntdTokenName(name)]!))
  })

  it('cover every antd colour in use', () => {
    expect(fixedVariables.length).toBeGreaterThan(10)
    for (const name of Object.keys(variables))
      if (name.startsWith('ant-color')) expect(tokens[toAntdTokenName(name)]).toBeDefined()
  })
})

it('starts with the default theme colour', () => {
  expect(readVariables('html').brand).toBe(defaultThemeColor)
})
