import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReleaseRecord } from '../../shared/src/contract/release/release.schema.ts'
import { root } from '../root.ts'

/**
 * The file lists the hash of each file of the host and the files of each shared module, so that they can be fetched
 * together with the code of a screen.
 */
export const filesJson = 'files.json'

type PageFiles = {
  initialFiles: string[]
  loginFiles: string[]
  /** Files of shared modules with which lists begin. */
  sharedFiles: Record<string, string[]>
}

/**
 * Writes the host's page: its entry, and the hashes of the files that sign-in, the shell and the first row of lists
 * need. The other hashes are in `filesJson`, which browsers cache. The server fills `__NONCE__` (docs/federation.md).
 */
export async function renderIndexHtml(
  { build, entry, files }: ReleaseRecord,
  { initialFiles, loginFiles, sharedFiles }: PageFiles,
) {
  const template = await readFile(join(root, 'host/index.html'), 'utf8')
  const folder = `/host/${build}/`
  const renderJsonScript = (id: string, value: unknown) =>
    `<script type="application/json" id="${id}">${JSON.stringify(value)}</script>`
  const pickHashes = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, files[name]]))
  // The entry fetches these files before it uses them, so they are preloaded as its requests will ask for them. A regular
  // style sheet that hangs would block the whole page.
  const head = loginFiles.map(
    (file) => `<link rel="preload" as="fetch" href="${folder}${file}" crossorigin="anonymous">`,
  )
  const body = [
    renderJsonScript('files', pickHashes([...initialFiles, filesJson])),
    renderJsonScript('shares', {
      files: pickHashes([...new Set(Object.values(sharedFiles).flat())]),
      shared: sharedFiles,
    }),
    `<script src="${folder}${entry}" integrity="${files[entry]}" crossorigin="anonymous" defer></script>`,
  ]
  return template
    .replace('<!--ahead-->', head.join('\n    '))
    .replace('<!--version-->', build)
    .replace('<!--build-->', () => body.join('\n    '))
}
