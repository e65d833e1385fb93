import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { findFreePort } from '../../scripts/freePort'
import { findPath, retry, size, stop, type Answer, type Browser } from './driver'

export const firefoxPath = findPath('/usr/bin/firefox-esr', '/usr/bin/firefox')
/** Firefox speaks WebDriver BiDi itself, without a driver: https://w3c.github.io/webdriver-bidi. */
export async function openFirefox(): Promise<Browser> {
  const [profile, port] = [await mkdtemp(join(tmpdir(), 'firefox-')), await findFreePort()]
  const flags = ['--headless', '--no-remote', '--profile', profile]
  const firefox = spawn(firefoxPath!, [...flags, '--remote-debugging-port', String(port)])
  const socket = await retry(async () => {
    const opening = new WebSocket(`ws://127.0.0.1:${port}/session`)
    await once(opening, 'open')
    return opening
  }, 'Firefox')
  let lastId = 0
  const send = (method: string, params: object) =>
    new Promise<Answer>((resolve, reject) => {
      const id = ++lastId
      const onMessage = (data: Buffer) => {
        const answer = JSON.parse(data.toString()) as Answer
        if (answer.id !== id) return
        socket.off('message', onMessage)
        if (answer.type === 'error') reject(new Error(`${method}: ${answer.message}`))
        else resolve(answer.result!)
      }
      socket.on('message', onMessage).send(JSON.stringify({ id, method, params }))
    })
  const { capabilities } = await send('session.new', { capabilities: {} })
  const { context } = (await send('browsingContext.getTree', {})).contexts![0]!
  await send('browsingContext.setViewport', { context, viewport: size })
  return {
    version: `Firefox ${capabilities!.browserVersion}`,
    open: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    async find(value) {
      const locator = { type: 'xpath', value }
      return (await send('browsingContext.locateNodes', { context, locator })).nodes![0]?.sharedId
    },
    async run(functionDeclaration, element) {
      const target = { target: { context }, awaitPromise: false }
      const callArguments = { functionDeclaration, arguments: [{ sharedId: element }] }
      return (await send('script.callFunction', { ...target, ...callArguments })).result!.value!
    },
    act: (source) => send('input.performActions', { context, actions: [source] }),
    takeScreenshot: async () =>
      (await send('browsingContext.captureScreenshot', { context })).data!,
    async close() {
      await stop(firefox)
      await rm(profile, { recursive: true, force: true })
    },
  }
}
