import { describeForErrorLog } from './core/safeError'

/**
 * Ends the process on an exception or rejection that nobody caught, as Node does, but without printing its properties:
 * those of a failed query are the values of the statement.
 */
export function exitOnUncaughtError() {
  process.on('uncaughtException', (error, origin) => {
    const { message, stack } = describeForErrorLog(error)
    process.stderr.write(`${origin}: ${message}\n${stack}\n`, () => process.exit(1))
  })
}
