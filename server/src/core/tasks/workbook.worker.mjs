// This file is plain JavaScript because Node starts a worker thread without the loader that compiles TypeScript.
import { parentPort, workerData } from 'node:worker_threads'
import writeWorkbook from 'write-excel-file/node'

const textOf = (cell) => (typeof cell === 'object' ? cell.time : String(cell ?? ''))

const msPerDay = 86_400_000
/** Converts a time to the serial number of a spreadsheet, where day 25569 is 1970-01-01 and times have no zone. */
const serialOf = (time) =>
  Date.parse(`${time.replace(' ', 'T')}${time.length > 10 ? '' : 'T00:00:00'}Z`) / msPerDay + 25_569

function cellOf(value) {
  if (typeof value === 'number') return { value, type: Number }
  if (typeof value === 'object')
    return {
      value: serialOf(value.time),
      type: Number,
      format: value.time.length > 10 ? 'yyyy-mm-dd hh:mm:ss' : 'yyyy-mm-dd',
    }
  // The text format keeps 0101 unchanged when the cell is edited.
  return { value, type: String, format: '@', ...(value.includes('\n') && { wrap: true }) }
}

/** Chooses a column width that fits the title and the first 49 rows. */
const widthOf = (title, column) =>
  Math.min(
    40,
    Math.max(
      12,
      title.length * 2,
      ...workerData.slice(1, 50).map((row) => textOf(row[column]).length),
    ),
  )

const cells = workerData.map((row, line) =>
  row.map((value) => ({ ...cellOf(value), ...(line === 0 && { fontWeight: 'bold' }) })),
)
const columns = workerData[0].map((title, column) => ({ width: widthOf(title, column) }))
parentPort.postMessage(await writeWorkbook(cells, { columns, stickyRowsCount: 1 }).toBuffer())
