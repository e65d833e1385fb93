import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { bundle } from '../tools/bundle.ts'

/**
 * Builds the page that the console is compared with: sign-in form and two tables in one bundle, without router,
 * federation or permissions.
 */
export async function buildBaselinePage(folder: string) {
  await bundle({
    context: import.meta.dirname,
    entry: './page.tsx',
    output: { path: folder, filename: 'page.js' },
  })
  await mkdir(folder, { recursive: true })
  const page =
    '<!doctype html><meta charset="utf-8"><div id="root"></div><script src="page.js"></script>'
  await writeFile(join(folder, 'index.html'), page)
  const script = await readFile(join(folder, 'page.js'))
  await writeFile(join(folder, 'page.js.br'), brotliCompressSync(script))
}
