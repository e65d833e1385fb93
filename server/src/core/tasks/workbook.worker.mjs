// Plain JavaScript: node starts a worker thread by itself, without the loader that compiles the rest.
import { parentPort, workerData } from 'node:worker_threads'
import writeWorkbook from 'write-excel-file/node'

/** Wide enough for what the first rows hold. */
const widthOf = (title, column) =>
  Math.min(
    40,
    Math.max(
      12,
      title.length * 2,
      ...workerData.slice(1, 50).map((row) => row[column]?.length ?? 0),
    ),
  )

const cells = workerData.map((row, line) =>
  row.map((value) => ({ value, type: String, ...(line === 0 && { fontWeight: 'bold' }) })),
)
const columns = workerData[0].map((title, column) => ({ width: widthOf(title, column) }))
parentPort.postMessage(await writeWorkbook(cells, { columns, stickyRowsCount: 1 }).toBuffer())
