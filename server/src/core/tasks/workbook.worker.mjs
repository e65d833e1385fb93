// Plain JavaScript: node starts a worker thread by itself, without the loader that compiles the rest.
import { parentPort, workerData } from 'node:worker_threads'
import writeWorkbook from 'write-excel-file/node'

const textOf = (cell) => (typeof cell === 'object' ? cell.time : String(cell ?? ''))

const msPerDay = 86_400_000
/** Day 25569 of a spreadsheet is 1970-01-01; what it shows has no zone. */
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
  // As text, so that 0101 stays what it is when the cell is edited.
  return { value, type: String, format: '@', ...(value.includes('\n') && { wrap: true }) }
}

/** Wide enough for what the first rows hold. */
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
