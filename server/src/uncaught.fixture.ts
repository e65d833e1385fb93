import { DrizzleQueryError } from 'drizzle-orm'
import { exitOnUncaughtError } from './uncaught'

/** Ends by a failed query that nobody caught; see core/safeError.test.ts. */
exitOnUncaughtError()
void Promise.reject(
  new DrizzleQueryError('select $1', [process.argv[2]], new Error(`phone=${process.argv[2]}`)),
)
