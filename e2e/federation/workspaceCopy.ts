import { link, mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const copiedFolders = ['scripts', 'shared', 'region-data', 'server']
const copiedFiles = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json']

/** Tells whether a path is the output of a build. */
const isBuildOutput = (path: string) =>
  /[\\/](\.cache|\.federation)$/.test(path) ||
  (!path.includes('node_modules') && /[\\/]dist$/.test(path))

/** Copies a folder by hard links; pnpm's symbolic links are relative and stay inside the copy. */
async function linkFolder(from: string, to: string) {
  await mkdir(to, { recursive: true })
  const entries = await readdir(from, { withFileTypes: true })
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isBuildOutput(source)) continue
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (entry.isDirectory()) await linkFolder(source, target)
    else await link(source, target)
  }
}

/**
 * Creates a copy of workspace packages and their build tools on the same disk. Files are hard links, so a file must be
 * deleted before it is changed. Installed packages are the same folder.
 */
export async function copyWorkspace(name: string, packages: string[]) {
  const folder = join(root, '.cache', name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const part of [...copiedFolders, ...packages])
    await linkFolder(join(root, part), join(folder, part))
  for (const file of copiedFiles) await link(join(root, file), join(folder, file))
  return folder
}
