import type { ClientBase } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { finished } from 'node:stream/promises'
import { formatTablePart } from './format'
import type { AddPart } from './archiveWriter'

/** A part is kept in memory while it is hashed and written. */
const targetPartBytes = 4 * 1024 * 1024

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
const formatColumns = (columns: string[]) => columns.map(quoteName).join(', ')

type ExportedTable = { name: string; columns: string[] }

/**
 * Reads the rows of some relations, the partitions of a table or the table itself, in PostgreSQL's text format, which
 * every version and every engine that speaks its protocol reads. The rows are cut into parts at arbitrary bytes.
 * @returns the number of rows
 */
export async function exportTable(
  client: ClientBase,
  { name, columns }: ExportedTable,
  relations: string[],
  add: AddPart,
) {
  let chunks: Buffer[] = []
  let bytes = 0
  let partIndex = 0
  let rowCount = 0
  async function flush() {
    if (bytes === 0) return
    const content = Buffer.concat(chunks)
    chunks = []
    bytes = 0
    await add(formatTablePart(name, partIndex++), content)
  }
  for (const relation of relations) {
    const stream = client.query(
      copyTo(`copy (select ${formatColumns(columns)} from ${quoteName(relation)}) to stdout`),
    )
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= targetPartBytes) await flush()
    }
    rowCount += stream.rowCount ?? 0
  }
  await flush()
  return rowCount
}

/** Writes the rows of one table; each part follows the one before. `end` returns the number of rows. */
export function importTable(client: ClientBase, { name, columns }: ExportedTable) {
  const stream = client.query(
    copyFrom(`copy ${quoteName(name)} (${formatColumns(columns)}) from stdin`),
  )
  const completion = finished(stream)
  // A failure is reported by the next write or by the end.
  completion.catch(() => {})
  return {
    async write(content: Buffer) {
      if (stream.write(content)) return
      await Promise.race([
        new Promise<void>((resolve) => stream.once('drain', resolve)),
        completion,
      ])
    },
    async end() {
      stream.end()
      await completion
      return stream.rowCount
    },
    abort: (error: Error) => void stream.destroy(error),
  }
}
