import { dayMs } from '@iot/shared/contract/duration'
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Task } from '@iot/shared/contract/sheet/task.schema'

const retentionMs = dayMs

/**
 * Stores the files of tasks under their task ids for one day. Several processes share the folder; if none is
 * configured, the files are removed when the process ends.
 */
export function createResultStore(folder?: string) {
  const resultsFolder = folder ?? mkdtempSync(join(tmpdir(), 'results-'))
  const toPath = (id: string) => join(resultsFolder, id)

  return {
    async write(
      id: string,
      name: string,
      content: AsyncIterable<string> | Buffer,
    ): Promise<NonNullable<Task['file']>> {
      await mkdir(resultsFolder, { recursive: true, mode: 0o700 })
      const source = Buffer.isBuffer(content) ? Readable.from([content]) : content
      await pipeline(source, createWriteStream(toPath(id), { mode: 0o600 }))
      return { name, until: new Date(Date.now() + retentionMs).toISOString() }
    },
    /** Returns undefined if the file has expired or lies on another machine. */
    async read(id: string) {
      const size = await stat(toPath(id)).then(
        (file) => file.size,
        () => undefined,
      )
      return size === undefined ? undefined : { size, content: createReadStream(toPath(id)) }
    },
    /** Returns the whole file as text, or undefined if it does not exist. */
    readText: (id: string) => readFile(toPath(id), 'utf8').catch(() => undefined),
    remove: (id: string) => rm(toPath(id), { force: true }),
    /** Deletes files older than a day, including those of interrupted tasks. */
    async sweep() {
      for (const name of await readdir(resultsFolder).catch(() => [])) {
        const { mtimeMs } = await stat(join(resultsFolder, name))
        if (mtimeMs < Date.now() - retentionMs) await rm(join(resultsFolder, name), { force: true })
      }
    },
    close() {
      if (!folder) rmSync(resultsFolder, { recursive: true, force: true })
    },
  }
}
export type ResultStore = ReturnType<typeof createResultStore>
