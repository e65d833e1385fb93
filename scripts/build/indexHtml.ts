import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseRecord } from '../../shared/src/contract/release.ts'
import { root } from '../root.ts'

/**
 * The host's page: its entry, the hash of each of its files for the loader, and the files of each shared module, so that
 * those of an address are asked for with its code. `__NONCE__` is filled by whoever serves it (docs/federation.md).
 */
export async function indexHtml(
  { build, entry, files }: ReleaseRecord,
  atOnce: string[],
  shared: Record<string, string[]>,
) {
  const template = await readFile(join(root, 'host/index.html'), 'utf8')
  const folder = `/host/${build}/`
  const styles = Object.keys(files).filter((file) => file.endsWith('.css') && atOnce.includes(file))
  const data = (id: string, value: unknown) =>
    `<script type="application/json" id="${id}">${JSON.stringify(value)}</script>`
  // Asked for ahead, added by the entry: as a style sheet of the page, one that hangs would keep all of it unseen.
  const head = styles.map(
    (file) => `<link rel="preload" as="style" href="${folder}${file}" crossorigin="anonymous">`,
  )
  const body = [
    data('files', files),
    data('shared', shared),
    `<script src="${folder}${entry}" integrity="${files[entry]}" crossorigin="anonymous" defer></script>`,
  ]
  return template
    .replace('<!--ahead-->', head.join('\n    '))
    .replace('<!--version-->', build)
    .replace('<!--build-->', () => body.join('\n    '))
}
