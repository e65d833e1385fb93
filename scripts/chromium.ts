import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const browserPaths = [
  // The headless shell comes first, because it has no browser window and uses less memory per page.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The flags stop Chromium's background requests to the network and let it start as root without a GPU. */
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Returns the path of an installed Chrome or Chromium, or undefined. */
export const findChromium = () =>
  [process.env.CHROME_PATH ?? '', ...browserPaths].find((path) => path && existsSync(path))

/**
 * Returns the path of Chrome or Chromium: `CHROME_PATH`, otherwise the usual places, otherwise it is installed if
 * that needs no confirmation (Debian, root). A Chinese font is installed too, because screenshots would show boxes
 * without one.
 * @throws Error that names the command to run
 */
export function chromium(): string {
  const configuredPath = process.env.CHROME_PATH
  if (configuredPath) {
    if (existsSync(configuredPath)) return configuredPath
    throw new Error(`CHROME_PATH 指向的文件不存在：${configuredPath}`)
  }
  const existingPath = findChromium()
  if (existingPath) return existingPath
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    console.log('安装 Chromium（apt-get）…')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env })
    for (const name of ['chromium-headless-shell', 'chromium']) {
      spawnSync('apt-get', ['install', '-y', '-qq', name, 'fonts-noto-cjk'], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      })
      const installedPath = browserPaths.find(existsSync)
      if (installedPath) return installedPath
    }
  }
  throw new Error(
    '没有找到 Chrome 或 Chromium。请先执行：sudo apt-get install -y chromium fonts-noto-cjk（或用 CHROME_PATH 指定）',
  )
}
