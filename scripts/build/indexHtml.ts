import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseRecord } from '../../shared/src/contract/release.ts'
import { root } from '../root.ts'

/** Hash of each file of the host, and the files of each shared module, so that those of an address are asked for with its code. */
export const filesJson = 'files.json'

/**
 * The host's page: its entry, and what login and the shell need with their hashes; those of the rest are in `filesJson`,
 * which a browser keeps. `__NONCE__` is filled by whoever serves it (docs/federation.md).
 */
export async function indexHtml({ build, entry, files }: ReleaseRecord, atOnce: string[]) {
  const template = await readFile(join(root, 'host/index.html'), 'utf8')
  const folder = `/host/${build}/`
  const styles = Object.keys(files).filter((file) => file.endsWith('.css') && atOnce.includes(file))
  const data = (id: string, value: unknown) =>
    `<script type="application/json" id="${id}">${JSON.stringify(value)}</script>`
  // Asked for ahead, added by the entry: as a style sheet of the page, one that hangs would keep all of it unseen.
  const head = styles.map(
    // Without the hash that the entry adds it with, a browser takes it for another request.
    (file) =>
      `<link rel="preload" as="style" href="${folder}${file}" integrity="${files[file]}" crossorigin="anonymous">`,
  )
  const body = [
    data('files', Object.fromEntries([...atOnce, filesJson].map((file) => [file, files[file]]))),
    `<script src="${folder}${entry}" integrity="${files[entry]}" crossorigin="anonymous" defer></script>`,
  ]
  return template
    .replace('<!--ahead-->', head.join('\n    '))
    .replace('<!--version-->', build)
    .replace('<!--build-->', () => body.join('\n    '))
}
