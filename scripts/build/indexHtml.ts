import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseRecord } from '../../shared/src/contract/release.ts'
import { root } from '../webpack/common.ts'

/** Hashes of the host's lazy files; the page pins it. The record cannot serve: it pins the page in turn. */
export const FILES = 'files.json'

/**
 * The host's page: its entry and the list of its other files, each with its hash.
 * `__NONCE__` is filled by whoever serves it; see docs/federation.md for a web server's own way.
 */
export async function indexHtml({ build, entry, files }: ReleaseRecord, atOnce: string[]) {
  const template = await readFile(join(root, 'host/index.html'), 'utf8')
  const folder = `/host/${build}/`
  const styles = Object.keys(files).filter((file) => file.endsWith('.css') && atOnce.includes(file))
  const first = Object.fromEntries([...atOnce, FILES].map((file) => [file, files[file]]))
  const head = [
    ...styles.map((file) => `<link rel="stylesheet" href="${folder}${file}" integrity="${files[file]}" crossorigin="anonymous">`),
    `<script src="${folder}${entry}" integrity="${files[entry]}" crossorigin="anonymous" defer></script>`,
    `<script type="application/json" id="files">${JSON.stringify(first)}</script>`,
  ]
  return template.replace('<!--build-->', head.join('\n    '))
}
