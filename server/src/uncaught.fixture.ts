import { DrizzleQueryError } from 'drizzle-orm'
import { exitOnUncaughtError } from './uncaught'

/** Ends with an uncaught failed query; core/logging/safeError.test.ts starts it. */
exitOnUncaughtError()
// The rejection stays unhandled on purpose.
void Promise.reject(
  new DrizzleQueryError('select $1', [process.argv[2]], new Error(`phone=${process.argv[2]}`)),
)
