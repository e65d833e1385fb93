import { describeForErrorLog } from './core/logging/safeError'

/**
 * Ends the process on an uncaught exception or rejection, as Node does, but without printing the properties of the
 * error, because a failed query carries the values of its statement.
 */
export function exitOnUncaughtError() {
  process.on('uncaughtException', (error, origin) => {
    const { message, stack } = describeForErrorLog(error)
    process.stderr.write(`${origin}: ${message}\n${stack}\n`, () => process.exit(1))
  })
}
