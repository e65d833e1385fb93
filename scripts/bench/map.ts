import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { chromium as findChromium, chromiumFlags } from '../chromium.ts'
import { bundle } from './bundle.ts'
import { getPercentile } from './devices/figures.ts'

/**
 * Draws a floor of lamps in headless Chromium without a GPU, with 500 changes a second, while it zooms and moves. It
 * measures frame times and the time from the data to the first frame, per drawing technique. A file in `map/` adds a
 * library to compare; see decision 108.
 * @example pnpm bench map svg,canvas 10000
 */
export default async function map(names = 'svg,canvas', count = '10000') {
  const folder = await mkdtemp(join(tmpdir(), 'bench-map-'))
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  console.log('            brotli   first draw   frame p50    p95   at most')
  try {
    for (const name of names.split(',')) {
      const file = await buildCandidate(name, folder)
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      await page.setContent('<!doctype html><body style="margin: 0"><div></div>')
      await page.addScriptTag({ path: file })
      const { first, frames } = (await page.evaluate(
        `measure(candidate.draw, ${Number(count)})`,
      )) as {
        first: number
        frames: number[]
      }
      await page.close()
      const sizeKb = brotliCompressSync(await readFile(file)).length / 1000
      const formatMs = (figure: number) => `${figure.toFixed(0)} ms`.padStart(10)
      console.log(
        name.padEnd(12) +
          `${sizeKb.toFixed(1)} kB`.padStart(9) +
          formatMs(first) +
          '  ' +
          [0.5, 0.95, 1].map((share) => formatMs(getPercentile(share, frames))).join(''),
      )
    }
  } finally {
    await browser.close()
    await rm(folder, { recursive: true })
  }
}

async function buildCandidate(name: string, folder: string) {
  await bundle({
    context: join(import.meta.dirname, 'map'),
    entry: { [name]: ['./page.ts', `./${name}.ts`] },
    output: { path: folder, filename: '[name].js', library: { name: 'candidate', type: 'var' } },
  })
  return join(folder, `${name}.js`)
}
