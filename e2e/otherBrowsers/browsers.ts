import { setTimeout as wait } from 'node:timers/promises'
import { retry, type Browser } from './driver'
import { firefoxPath, openFirefox } from './firefox'
import { hasWebKit, openWebKit } from './webKit'

/** Opens a page of a browser whose presses and inputs wait for their element. */
const createOpener = (openBrowser: () => Promise<Browser>) => async () => {
  const browser = await openBrowser()
  const waitFor = (xpath: string) => retry(() => browser.find(xpath), xpath)
  const click = (xpath: string) =>
    retry(async () => {
      const element = await waitFor(xpath)
      // A dialog that opens moves what stands in it.
      await wait(300)
      // Both protocols can press an element, but WebKit refuses those of SVG, such as lamps.
      const [x, y] = (await browser.run(findCentre, element)).split(' ').map(Number)
      const press = [{ type: 'pointerMove', x, y }, ...pressButton]
      await browser.act({ type: 'pointer', id: 'mouse', actions: press })
      return true
    }, xpath)
  return {
    ...browser,
    waitFor,
    click,
    async type(xpath: string, text: string) {
      await click(xpath)
      const toKeys = (value: string) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))
      await browser.act({ type: 'key', id: 'keyboard', actions: [...text].flatMap(toKeys) })
    },
  }
}
const pressButton = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }))
const findCentre = `(element) => {
  element.scrollIntoView({ block: 'nearest' })
  const { x, y, width, height } = element.getBoundingClientRect()
  return Math.round(x + width / 2) + ' ' + Math.round(y + height / 2)
}`

/** A browser that is not installed has no way to open it. */
export const browsers = [
  { name: 'Firefox', open: firefoxPath ? createOpener(openFirefox) : undefined },
  { name: 'WebKitGTK', open: hasWebKit ? createOpener(openWebKit) : undefined },
]
