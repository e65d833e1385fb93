import pino, { type DestinationStream } from 'pino'
import { safeLoggerOptions } from './safeError'

type LogSettings = {
  /** Lowest level that is written, as JSON. Without one, messages are plain text for the person at the terminal. */
  level?: string
  /** Defaults to standard output for JSON and standard error for plain text. */
  stream?: DestinationStream
}

let destination: DestinationStream = { write: writePlainText }

/**
 * The log of this process. Fastify uses it too, so that every line has one format and one destination. Fields
 * name the `module` that writes and the device, task or request that a line is about.
 */
export const log = pino(
  { level: 'info', ...safeLoggerOptions },
  { write: (line) => destination.write(line) },
)

/** Sets level and destination for the process; children that were created before keep their level. */
export function configureLog({ level, stream }: LogSettings) {
  const newLevel = level ?? 'info'
  if (log.level !== newLevel) log.level = newLevel
  destination = stream ?? { write: level ? writeJson : writePlainText }
}

function writeJson(line: string) {
  process.stdout.write(line)
}

/** Notices of Fastify, such as the addresses it listens on, are left out: they name no module and need no action. */
function writePlainText(line: string) {
  const { level, module, msg } = JSON.parse(line) as {
    level: number
    module?: string
    msg?: string
  }
  if (msg && (module || level >= log.levels.values.warn!)) process.stderr.write(`${msg}\n`)
}
