import { configureLog } from './core/log'

// A passing test prints nothing; a test that checks a line of the log spies on it.
configureLog({ level: 'silent' })
