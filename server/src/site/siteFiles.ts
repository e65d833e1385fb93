import { createHash, randomUUID } from 'node:crypto'
import { open, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export const computeHash = (content: Buffer | string) =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`

/** Writes a complete file under a temporary name; renaming or linking it makes it visible at once. */
export async function writeTemporaryFile(folder: string, text: string) {
  const path = join(folder, `.${randomUUID()}.part`)
  await writeFile(path, text, { flush: true })
  return path
}

/** Replaces a file at once, so that readers find the former or the new content. */
export const replaceFile = async (path: string, text: string) =>
  rename(await writeTemporaryFile(dirname(path), text), path)

export const isNodeError = (error: unknown, ...codes: string[]) =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '')

export async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
