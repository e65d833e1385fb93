import { chromium } from 'playwright-core'
import { chromium as findChromium, chromiumFlags } from '../../chromium'
import { pickSize } from '../tools/size'

const rounds = pickSize(5, 1)

/**
 * Measures the time from a click on 近 30 天 until the curve of that month is drawn on the device page, with one value
 * per minute. The first click of a page also loads the code of the chart.
 */
export async function measureMonthChart(origin: string, token: string, deviceId: string) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      bypassCSP: true,
    })
    await context.addInitScript(
      `localStorage.setItem('token', ${JSON.stringify(JSON.stringify(token))})`,
    )
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const page = await context.newPage()
      await page.goto(
        `${origin}/deviceAccess/device/${deviceId}?tab=history&property=Brightness&range=hour&step=60`,
      )
      await page.getByText('近 30 天').waitFor()
      await page
        .getByRole('img', { name: /的历史曲线$/ })
        .or(page.getByText('这段时间没有上报过'))
        .first()
        .waitFor()
      times.push((await page.evaluate(measureDrawScript)) as number)
      await page.close()
    }
    times.sort((a, b) => a - b)
    console.log(
      `30 days by the minute, from the press to the curve: ${times.map((time) => Math.round(time)).join(', ')} ms`,
    )
  } finally {
    await browser.close()
  }
}

// The curve is new when its canvas element has been replaced and is partly painted.
const measureDrawScript = `new Promise((resolve) => {
  const before = document.querySelector('.uplot canvas')
  const began = performance.now()
  for (const choice of document.querySelectorAll('.ant-segmented-item')) if (choice.textContent === '近 30 天') choice.click()
  const look = () => {
    const canvas = document.querySelector('.uplot canvas')
    const isThere = canvas && canvas !== before && canvas.width > 0 &&
      canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0)
    if (isThere) resolve(performance.now() - began)
    else requestAnimationFrame(look)
  }
  look()
})`
