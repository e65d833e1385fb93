import { spawn } from 'node:child_process'
import { findFreePort } from '../../scripts/freePort'
import { findPath, retry, size, stop, type Answer, type Browser } from './driver'

const webKitDriverPath = findPath('/usr/bin/WebKitWebDriver')
const displayServerPath = findPath('/usr/bin/Xvfb')
const miniBrowserPath = findPath(
  ...['x86_64', 'aarch64'].flatMap((machine) =>
    ['6.0', '4.1', '4.0'].map(
      (api) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${api}/MiniBrowser`,
    ),
  ),
)
export const hasWebKit = webKitDriverPath && miniBrowserPath && displayServerPath
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
/** WebKitGTK has a driver (https://www.w3.org/TR/webdriver2) and no mode without a display, so it gets a virtual one. */
export async function openWebKit(): Promise<Browser> {
  const display = `:${await findFreePort()}`
  const screen = ['-screen', '0', `${size.width}x${size.height + 100}x24`]
  const displayServer = spawn(displayServerPath!, [display, ...screen])
  const port = await findFreePort()
  const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' }
  const driver = spawn(webKitDriverPath!, [`--port=${port}`, '--host=127.0.0.1'], { env })
  let session = `http://127.0.0.1:${port}/session`
  async function send<T = Answer>(path: string, body?: object): Promise<T> {
    const method = body ? 'POST' : 'GET'
    const answer = await fetch(session + path, { method, body: body && JSON.stringify(body) })
    const { value } = (await answer.json()) as { value: T & Answer }
    if (!answer.ok) throw new Error(`${path}: ${value.error} ${value.message}`)
    return value
  }
  const options = { binary: miniBrowserPath, args: ['--automation'] }
  const alwaysMatch = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options }
  const newSession = await retry(
    () => send<Answer>('', { capabilities: { alwaysMatch } }),
    'WebKitWebDriver',
  )
  session += `/${newSession.sessionId}`
  await send('/window/rect', { x: 0, y: 0, ...size })
  return {
    version: `WebKitGTK ${newSession.capabilities!.browserVersion}`,
    open: (url) => send('/url', { url }),
    async find(value) {
      const query = { using: 'xpath', value }
      return (await send<Record<string, string>[]>('/elements', query))[0]?.[elementKey]
    },
    run: (source, element) =>
      send<string>('/execute/sync', {
        script: `return (${source})(arguments[0])`,
        args: [{ [elementKey]: element }],
      }),
    act: (source) => send('/actions', { actions: [source] }),
    takeScreenshot: () => send<string>('/screenshot'),
    async close() {
      await fetch(session, { method: 'DELETE' })
      for (const child of [driver, displayServer]) await stop(child)
    },
  }
}
