import { link, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const parts = ['node_modules', 'scripts', 'shared', 'region-data', 'server']
const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json']

/** Made by a build, not part of what is built. */
const isMade = (path: string) =>
  /[\\/](\.cache|\.federation)$/.test(path) ||
  (!path.includes('node_modules') && /[\\/]dist$/.test(path))

/** The same files below another folder; links, which pnpm makes relative, lead to its own. */
async function copy(from: string, to: string) {
  await mkdir(to, { recursive: true })
  const entries = await readdir(from, { withFileTypes: true })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isMade(source)) continue
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isDirectory()) await copy(source, target)
    else await link(source, target)
  }
}

/**
 * These packages of the workspace, and what they are built with, in another folder of the same disk. Files are the very
 * same: whoever changes one takes it away first.
 */
export async function twinOf(name: string, packages: string[]) {
  const folder = join(root, '.cache', name)
  await rm(folder, { recursive: true, force: true })
  for (const part of [...parts, ...packages]) await copy(join(root, part), join(folder, part))
  for (const file of files) await link(join(root, file), join(folder, file))
  return folder
}
