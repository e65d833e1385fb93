import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { createEncryptor } from './encryption'
import {
  BackupRefusal,
  describePart,
  manifestName,
  type BackupManifest,
  type BackupPart,
} from './format'

/** Text of tables shrinks to a tenth at the fastest level; a higher one costs three times the processor for a fifth. */
const gzipLevel = 1

/** A file with this ending is not complete. */
export const partialSuffix = '.part'

type ArchiveOptions = { passphrase?: string; signal?: AbortSignal }
export type AddPart = (name: string, content: Buffer) => Promise<void>

/**
 * Writes an archive under a temporary name and gives it its name when it is complete and on disk, so that an
 * interrupted backup never looks like one. Only this account may read it.
 * @param writeParts adds all parts but the manifest and returns the rows per table
 * @returns the manifest and the size of the file
 */
export async function writeArchive(
  file: string,
  { passphrase, signal }: ArchiveOptions,
  writeParts: (add: AddPart) => Promise<BackupManifest['rows']>,
) {
  if (existsSync(file)) throw new BackupRefusal(`${file} 已经存在，不覆盖`)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporaryFile = `${file}${partialSuffix}`
  const handle = await openNewFile(temporaryFile)
  try {
    const manifest = await streamArchive(handle, { passphrase, signal }, writeParts)
    await handle.sync()
    const { size } = await handle.stat()
    await handle.close()
    if (existsSync(file)) throw new BackupRefusal(`${file} 已经存在，不覆盖`)
    await rename(temporaryFile, file)
    await syncFolder(dirname(file))
    return { manifest, bytes: size }
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(temporaryFile, { force: true })
    throw error
  }
}

/** A file that another backup is writing is not touched; one that a killed process left must be removed first. */
async function openNewFile(file: string) {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new BackupRefusal(`${file} 已经存在：另一次备份正在写，或是中断后留下的；确认后删除它`)
  }
}

async function streamArchive(
  handle: FileHandle,
  { passphrase, signal }: ArchiveOptions,
  writeParts: (add: AddPart) => Promise<BackupManifest['rows']>,
) {
  const archive = pack()
  const encryptor = passphrase === undefined ? undefined : await createEncryptor(passphrase)
  // The handle stays open after the last byte, because it is then writing to disk.
  const write = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await handle.appendFile(chunk)
  }
  const source = Readable.from(archive)
  const gzip = createGzip({ level: gzipLevel })
  const writing = encryptor
    ? pipeline(source, gzip, encryptor, write, { signal })
    : pipeline(source, gzip, write, { signal })
  const failed = writing.then(
    () => new Promise<never>(() => {}),
    (error: unknown) => {
      throw error
    },
  )
  const parts: BackupPart[] = []
  const addEntry = (name: string, content: Buffer) =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => {
        archive.entry({ name, mode: 0o600 }, content, (error) =>
          error ? reject(error) : resolve(),
        )
      }),
    ])
  async function produce() {
    const rows = await writeParts(async (name, content) => {
      signal?.throwIfAborted()
      parts.push(describePart(name, content))
      await addEntry(name, content)
    })
    const manifest: BackupManifest = { parts, rows }
    await addEntry(manifestName, Buffer.from(JSON.stringify(manifest)))
    archive.finalize()
    return manifest
  }
  try {
    const [manifest] = await Promise.all([produce(), writing])
    return manifest
  } catch (error) {
    archive.destroy(error as Error)
    await writing.catch(() => {})
    throw error
  }
}

/** The new name of a file is on disk only after its folder is. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
