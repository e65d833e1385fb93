import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseRecord } from '../../shared/src/contract/release/release.schema.ts'
import { root } from '../root.ts'

/**
 * The file lists the hash of each file of the host and the files of each shared module, so that they can be fetched
 * together with the code of a screen.
 */
export const filesJson = 'files.json'

/**
 * Writes the host's page: its entry, and the hashes of the files that sign-in and the shell need. The other hashes
 * are in `filesJson`, which browsers cache. The server fills `__NONCE__` (docs/federation.md).
 */
export async function renderIndexHtml(
  { build, entry, files }: ReleaseRecord,
  initialFiles: string[],
  loginFiles: string[],
) {
  const template = await readFile(join(root, 'host/index.html'), 'utf8')
  const folder = `/host/${build}/`
  const renderJsonScript = (id: string, value: unknown) =>
    `<script type="application/json" id="${id}">${JSON.stringify(value)}</script>`
  // The entry fetches these files before it uses them, so they are preloaded as its requests will ask for them. A regular
  // style sheet that hangs would block the whole page.
  const head = loginFiles.map(
    (file) => `<link rel="preload" as="fetch" href="${folder}${file}" crossorigin="anonymous">`,
  )
  const body = [
    renderJsonScript(
      'files',
      Object.fromEntries([...initialFiles, filesJson].map((file) => [file, files[file]])),
    ),
    `<script src="${folder}${entry}" integrity="${files[entry]}" crossorigin="anonymous" defer></script>`,
  ]
  return template
    .replace('<!--ahead-->', head.join('\n    '))
    .replace('<!--version-->', build)
    .replace('<!--build-->', () => body.join('\n    '))
}
