import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import puppeteer, { type Page } from 'puppeteer-core'
import { Builder, By, Capabilities, until } from 'selenium-webdriver'
import { findFreePort } from '../../scripts/freePort'

/** A page of a browser; elements are named by XPath, which both ways of driving browsers know. */
export type DrivenPage = {
  version: string
  open: (address: string) => Promise<void>
  click: (xpath: string) => Promise<void>
  type: (xpath: string, text: string) => Promise<void>
  /** Waits until the element is there. */
  waitFor: (xpath: string) => Promise<void>
  screenshot: () => Promise<Buffer>
  close: () => Promise<void>
}

const timeoutMs = 60_000
const viewport = { width: 1280, height: 800 }

const firefoxPath = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find(existsSync)
/** Firefox speaks WebDriver BiDi itself. */
async function openFirefox(): Promise<DrivenPage> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPath!,
    defaultViewport: viewport,
  })
  const page: Page = await browser.newPage()
  const locate = (xpath: string) => page.locator(`::-p-xpath(${xpath})`).setTimeout(timeoutMs)
  return {
    version: await browser.version(),
    open: async (address) => void (await page.goto(address)),
    click: (xpath) => locate(xpath).click(),
    async type(xpath, text) {
      await locate(xpath).click()
      await page.keyboard.type(text)
    },
    waitFor: async (xpath) =>
      void (await page.waitForSelector(`::-p-xpath(${xpath})`, { timeout: timeoutMs })),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  }
}

const webKitDriverPath = ['/usr/bin/WebKitWebDriver'].find(existsSync)
const miniBrowserPath = ['x86_64', 'aarch64']
  .flatMap((machine) =>
    ['4.1', '4.0'].map((api) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-${api}/MiniBrowser`),
  )
  .find(existsSync)
const displayServerPath = ['/usr/bin/Xvfb'].find(existsSync)
/** WebKitGTK has no mode without a display, so it gets a virtual one. */
async function openWebKit(): Promise<DrivenPage> {
  const display = `:${await findFreePort()}`
  const screen = `${viewport.width}x${viewport.height + 100}x24`
  const displayServer = spawn(displayServerPath!, [display, '-screen', '0', screen])
  const port = await findFreePort()
  const server = spawn(webKitDriverPath!, [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
  })
  const driver = await new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: miniBrowserPath, args: ['--automation'] },
      }),
    )
    .build()
  await driver
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...viewport })
  const locate = async (xpath: string) => {
    const element = await driver.wait(until.elementLocated(By.xpath(xpath)), timeoutMs)
    return driver.wait(until.elementIsVisible(element), timeoutMs)
  }
  const version = (await driver.getCapabilities()).getBrowserVersion()
  return {
    version: `WebKitGTK ${version}`,
    open: (address) => driver.get(address),
    click: async (xpath) => (await locate(xpath)).click(),
    type: async (xpath, text) => (await locate(xpath)).sendKeys(text),
    waitFor: async (xpath) => void (await locate(xpath)),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    async close() {
      await driver.quit()
      for (const child of [server, displayServer]) {
        child.kill()
        if (child.exitCode === null) await once(child, 'exit')
      }
    },
  }
}

/** A browser that is not installed has no way to open it. */
export const browsers = [
  { name: 'Firefox', open: firefoxPath ? openFirefox : undefined },
  {
    name: 'WebKitGTK',
    open: webKitDriverPath && miniBrowserPath && displayServerPath ? openWebKit : undefined,
  },
]
