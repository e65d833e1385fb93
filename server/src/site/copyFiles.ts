import { constants } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** More copies at once wait for the four threads of Node's file system pool anyway. */
const maxCopiesAtOnce = 16

/**
 * Copies a folder of plain files. `cp` of Node asks for the state of each file several times before it copies it, which
 * takes most of its time for the many small files of a build.
 */
export async function copyFiles(source: string, target: string) {
  const entries = await readdir(source, { recursive: true, withFileTypes: true })
  const toPaths = (isWanted: (entry: (typeof entries)[number]) => boolean) =>
    entries
      .filter(isWanted)
      .map(({ parentPath, name }) => join(parentPath, name).slice(source.length))
  await mkdir(target, { recursive: true })
  for (const folder of toPaths((entry) => entry.isDirectory()))
    await mkdir(join(target, folder), { recursive: true })
  const files = toPaths((entry) => entry.isFile())
  for (let start = 0; start < files.length; start += maxCopiesAtOnce)
    await Promise.all(
      files
        .slice(start, start + maxCopiesAtOnce)
        .map((file) =>
          copyFile(join(source, file), join(target, file), constants.COPYFILE_FICLONE),
        ),
    )
}
