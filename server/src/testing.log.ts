import { configureLog } from './core/logging/log'

// A passing test prints nothing; a test that checks a line of the log spies on it.
configureLog({ level: 'silent' })
