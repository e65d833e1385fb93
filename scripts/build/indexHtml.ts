import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseRecord } from '../../shared/src/contract/release.ts'
import { root } from '../webpack/common.ts'

/**
 * The host's page: its entry with its hash, and the hashes of its lazy chunks for the loader.
 * `__NONCE__` is filled by whoever serves it; see docs/federation.md for a web server's own way.
 */
export async function indexHtml({ build, entry, files }: ReleaseRecord) {
  const template = await readFile(join(root, 'host/index.html'), 'utf8')
  const folder = `/host/${build}/`
  const styles = Object.keys(files).filter((file) => file.startsWith('main') && file.endsWith('.css'))
  const head = [
    ...styles.map((file) => `<link rel="stylesheet" href="${folder}${file}" integrity="${files[file]}" crossorigin="anonymous">`),
    `<script src="${folder}${entry}" integrity="${files[entry]}" crossorigin="anonymous" defer></script>`,
    `<script type="application/json" id="files">${JSON.stringify(files)}</script>`,
  ]
  return template.replace('<!--build-->', head.join('\n    '))
}
