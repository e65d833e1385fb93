import { format } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'

/** Only these parts of an error may appear in the log or the error log. */
export type SafeError = {
  type: string
  message: string
  stack?: string
  /** SQL text with placeholders. Its parameters are left out, because they hold user input and secrets. */
  statement?: string
  causes?: SafeError[]
} & Record<string, unknown>

/**
 * Properties that name a place or a kind. All other properties may hold user input, such as `params`, `detail`,
 * `config` and `issues`.
 */
const safeProperties = [
  ...['code', 'errno', 'syscall', 'address', 'port', 'status', 'statusCode', 'signal'],
  ...['severity', 'schema', 'table', 'column', 'constraint', 'dataType', 'routine'],
]
const maxCauses = 8
const maxTextLength = 2000
const maxStatementLength = 500

/**
 * Serializes a thrown value for logs: its type, a message without values, stack frames, and its causes. It works with
 * an allowlist, so unknown properties are left out.
 * @example log.error({ err: describeError(error) }, 'Could not save the ledger')
 */
export const describeError = (error: unknown): SafeError => describeNested(error, new Set())

function describeNested(error: unknown, visited: Set<unknown>): SafeError {
  if (!isErrorLike(error)) return { type: getTypeName(error), message: toSafeText(error) }
  visited.add(error)
  const safeError: SafeError = { type: getTypeName(error), message: toSafeMessage(error) }
  for (const name of safeProperties) {
    const value = error[name]
    if (typeof value === 'number') safeError[name] = value
    if (typeof value === 'string') safeError[name] = maskSecrets(value.slice(0, 200))
  }
  const stack = extractFrames(error)
  if (stack) safeError.stack = stack
  if (error instanceof DrizzleQueryError)
    safeError.statement = error.query.replace(/\s+/g, ' ').slice(0, maxStatementLength)
  const causes = [error.cause, ...(Array.isArray(error.errors) ? error.errors : [])]
    .filter((cause) => cause !== undefined && cause !== null && !visited.has(cause))
    .slice(0, maxCauses)
  if (causes.length > 0 && visited.size <= maxCauses)
    safeError.causes = causes.map((cause) => describeNested(cause, visited))
  return safeError
}

/** Returns the message of the innermost cause. */
export function describeReason(error: unknown): string {
  let innermostError = describeError(error)
  while (innermostError.causes?.[0]) innermostError = innermostError.causes[0]
  return innermostError.message
}

/**
 * Formats an error for the error log: the distinct messages of all causes in one line, and their stack frames as
 * lines.
 */
export function describeForErrorLog(error: unknown) {
  const errorChain: SafeError[] = []
  const collect = (safeError: SafeError) => {
    errorChain.push(safeError)
    safeError.causes?.forEach(collect)
  }
  collect(describeError(error))
  const messages = new Set(errorChain.map(({ message }) => message))
  const lines = errorChain.flatMap(({ type, message, stack, statement }) => [
    `${type}: ${message}`,
    ...(stack ? [stack] : []),
    ...(statement ? [`statement: ${statement}`] : []),
  ])
  return { message: [...messages].join(': '), stack: lines.join('\n') }
}

/**
 * Formats the arguments of `console.error(…)`; objects appear with their class name only, because they may hold
 * secrets.
 */
export const describeArguments = (args: unknown[]) =>
  maskSecrets(
    format(
      ...args.map((arg) => {
        if (isErrorLike(arg)) return describeForErrorLog(arg).message
        return typeof arg === 'object' && arg !== null ? `[${getTypeName(arg)}]` : arg
      }),
    ),
  )

const isErrorLike = (value: unknown): value is Error & Record<string, unknown> =>
  value instanceof Error ||
  (typeof value === 'object' && value !== null && 'message' in value && 'stack' in value)

function getTypeName(value: unknown) {
  if (typeof value !== 'object' || value === null) return typeof value
  const { name, constructor } = value as { name?: unknown; constructor?: { name?: string } }
  const customName = isErrorLike(value) && typeof name === 'string' && name !== 'Error' ? name : ''
  return maskSecrets((customName || (constructor?.name ?? 'Object')).slice(0, 100))
}

/**
 * A thrown string was chosen by the code and is shown masked; a thrown object may hold anything, so only its name is
 * shown.
 */
const toSafeText = (value: unknown) =>
  typeof value === 'string'
    ? maskSecrets(value.slice(0, maxTextLength))
    : typeof value === 'object' && value !== null
      ? `a thrown ${getTypeName(value)}`
      : String(value)

function toSafeMessage(error: Error & Record<string, unknown>): string {
  if (error instanceof DrizzleQueryError) return 'Database query failed'
  if (isDatabaseError(error)) return formatDatabaseMessage(error)
  if (Array.isArray(error.issues)) return formatIssues(error.issues)
  const text = String(error.message)
  // V8 quotes the text that could not be parsed as JSON.
  const messageText = error instanceof SyntaxError ? text.replace(/(["'`]).*\1/s, '"…"') : text
  return maskSecrets(messageText.slice(0, maxTextLength))
}

type DatabaseErrorLike = Error & { code?: unknown; severity?: unknown }
const isDatabaseError = (error: DatabaseErrorLike) =>
  error instanceof pg.DatabaseError ||
  (typeof error.severity === 'string' && /^[0-9A-Z]{5}$/.test(String(error.code)))

/**
 * SQLSTATE classes (appendix A of the PostgreSQL manual) whose messages name database objects only. Class 22 quotes
 * the value and 42601 the statement; functions write P0 messages freely, and distributed engines put the key into
 * 40001.
 */
const safeSqlStates = /^(08|0A|22001|23|25|26|28|2B|2D|34|3B|3D|3F|40P01|42(?!601)|53|54|55|57|58)/
function formatDatabaseMessage(error: DatabaseErrorLike) {
  const state = String(error.code ?? '')
  return safeSqlStates.test(state)
    ? `${maskSecrets(error.message.slice(0, 300))} (${state})`
    : `database error ${state}`
}

/**
 * Returns the field and rule of each schema violation; the messages of rules and received values may quote the input.
 */
const formatIssues = (issues: unknown[]) =>
  `invalid input: ${issues
    .slice(0, 10)
    .map((issue) => {
      const { path, code } = (issue ?? {}) as { path?: unknown[]; code?: unknown }
      return maskSecrets(`${(path ?? []).join('.').slice(0, 100)} ${String(code ?? '')}`.trim())
    })
    .join(', ')}`

/**
 * Keeps the stack frames only, because the head of a stack repeats the message, over many lines if it holds a
 * statement.
 */
function extractFrames({ stack, message }: Error) {
  if (typeof stack !== 'string') return ''
  const messageIndex = message ? stack.indexOf(String(message)) : -1
  const frameText = messageIndex < 0 ? stack : stack.slice(messageIndex + String(message).length)
  return frameText
    .split('\n')
    .filter((line) => /^\s+at .*(:\d+|\)|<anonymous>)$/.test(line))
    .map((line) => line.replace(/\?[^:)]*/, ''))
    .join('\n')
    .slice(0, 8000)
}

const secretNames =
  'pass(?:word|wd)?|pwd|secret|token|satoken|authorization|cookie|sign(?:ature)?|api[-_]?key|access[-_]?key|totp|otp|phone|mobile'
const maskRules: [RegExp, string][] = [
  // This pattern and the next mask user and password in `scheme://user:password@host` and the query of a URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[!-.0-?A-~]+@/gi, '$1…@'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s?#"']+)\?[^\s"')]*/gi, '$1?…'],
  [/\b(Bearer|Basic) +[^\s"',]+/gi, '$1 …'],
  [
    new RegExp(
      `((?:${secretNames})[\\w-]*["']?\\s*[=:]\\s*)(?:"[^"]*"|'[^']*'|[^\\s"',;&}]+)`,
      'gi',
    ),
    '$1…',
  ],
  [/\b(?:scrypt|argon2\w*|pbkdf2\w*|bcrypt)\$\S+|\$2[aby]\$\S+/g, '…'],
  // This pattern matches mobile numbers of mainland China.
  [/(?<!\d)(?:\+?86[- ]?)?1[3-9]\d(?:[- ]?\d{4}){2}(?!\d)/g, '…'],
]
/** Matches the id of a row, a trace or a session. */
export const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Masks text that looks like a secret. It is the second line of defence after leaving parameters out. Ids of rows and
 * traces are kept.
 */
export function maskSecrets(text: string) {
  let maskedText = text
  for (const [pattern, replacement] of maskRules)
    maskedText = maskedText.replace(pattern, replacement)
  return maskedText.replace(/[\w+=-]{16,}/g, (word) => (isRandom(word) ? '…' : word))
}

/**
 * Recognises keys of devices and sessions. Identifiers made of short words are kept, because a reader searches for
 * them.
 */
function isRandom(word: string) {
  if (uuidPattern.test(word)) return false
  const isMixed = (segment: string) => /\d/.test(segment) && /[A-Za-z]/.test(segment)
  const isBase32 = /^[A-Z2-7]{16,}=*$/.test(word)
  const isLong = word.length >= 32 && isMixed(word) && /[A-Z]/.test(word) && /[a-z]/.test(word)
  return (
    isBase32 ||
    isLong ||
    word.split(/[-_]/).some((segment) => segment.length >= 16 && isMixed(segment))
  )
}

/**
 * Masks a stack that a browser sent. Its frames are kept, because they lead to the source; the other lines are masked
 * as text.
 */
export const maskStack = (stack: string) =>
  stack
    .split('\n')
    .map((line) => (/^\s*(at |[^\s]*@).*:\d+\)?$/.test(line) ? line : maskSecrets(line)))
    .join('\n')

type LogFunction = (...args: unknown[]) => void

/** Logger options for Fastify that reduce every logged error to the output of `describeError`. */
export const safeLoggerOptions = {
  // Fastify's own serializer copies every property of an error. Errors that passed the hook below are already
  // described.
  serializers: {
    err: (loggedError: Error | SafeError) => ({
      stack: '',
      ...(loggedError instanceof Error ? describeError(loggedError) : loggedError),
    }),
  },
  hooks: {
    /** Pino would copy the message of an error into the log line, and recognises errors under the key `err` only. */
    logMethod(this: unknown, args: unknown[], write: LogFunction) {
      write.apply(this, describeLogArguments(args))
    },
  },
}

function describeLogArguments(args: unknown[]) {
  const [first, ...rest] = args
  if (typeof first !== 'object' || first === null) return [describeArguments(args)]
  const fields = Object.entries(isErrorLike(first) ? { err: first } : first)
  const safeFields = Object.fromEntries(
    fields.map(([name, value]) => [name, isErrorLike(value) ? describeError(value) : value]),
  )
  if (rest.length > 0) return [safeFields, describeArguments(rest)]
  const error = fields.map(([, value]) => value as unknown).find(isErrorLike)
  return error ? [safeFields, describeForErrorLog(error).message] : [safeFields]
}
