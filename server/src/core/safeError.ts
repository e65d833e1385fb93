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
export const describeError = (error: unknown): SafeError => describe(error, new Set())

function describe(error: unknown, seen: Set<unknown>): SafeError {
  if (!isErrorLike(error)) return { type: nameOf(error), message: textOf(error) }
  seen.add(error)
  const safe: SafeError = { type: nameOf(error), message: messageOf(error) }
  for (const name of safeProperties) {
    const value = error[name]
    if (typeof value === 'number') safe[name] = value
    if (typeof value === 'string') safe[name] = maskSecrets(value.slice(0, 200))
  }
  const stack = framesOf(error)
  if (stack) safe.stack = stack
  if (error instanceof DrizzleQueryError)
    safe.statement = error.query.replace(/\s+/g, ' ').slice(0, maxStatementLength)
  const causes = [error.cause, ...(Array.isArray(error.errors) ? error.errors : [])]
    .filter((cause) => cause !== undefined && cause !== null && !seen.has(cause))
    .slice(0, maxCauses)
  if (causes.length > 0 && seen.size <= maxCauses)
    safe.causes = causes.map((cause) => describe(cause, seen))
  return safe
}

/** Returns the message of the innermost cause. */
export function describeReason(error: unknown): string {
  let safe = describeError(error)
  while (safe.causes?.[0]) safe = safe.causes[0]
  return safe.message
}

/**
 * Formats an error for the error log: the distinct messages of all causes in one line, and their stack frames as
 * lines.
 */
export function describeForErrorLog(error: unknown) {
  const all: SafeError[] = []
  const collect = (one: SafeError) => {
    all.push(one)
    one.causes?.forEach(collect)
  }
  collect(describeError(error))
  const messages = new Set(all.map(({ message }) => message))
  const lines = all.flatMap(({ type, message, stack, statement }) => [
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
export const describeArguments = (given: unknown[]) =>
  maskSecrets(
    format(
      ...given.map((one) => {
        if (isErrorLike(one)) return describeForErrorLog(one).message
        return typeof one === 'object' && one !== null ? `[${nameOf(one)}]` : one
      }),
    ),
  )

const isErrorLike = (value: unknown): value is Error & Record<string, unknown> =>
  value instanceof Error ||
  (typeof value === 'object' && value !== null && 'message' in value && 'stack' in value)

function nameOf(value: unknown) {
  if (typeof value !== 'object' || value === null) return typeof value
  const { name, constructor } = value as { name?: unknown; constructor?: { name?: string } }
  const named = isErrorLike(value) && typeof name === 'string' && name !== 'Error' ? name : ''
  return maskSecrets((named || (constructor?.name ?? 'Object')).slice(0, 100))
}

/**
 * A thrown string was chosen by the code and is shown masked; a thrown object may hold anything, so only its name is
 * shown.
 */
const textOf = (value: unknown) =>
  typeof value === 'string'
    ? maskSecrets(value.slice(0, maxTextLength))
    : typeof value === 'object' && value !== null
      ? `a thrown ${nameOf(value)}`
      : String(value)

function messageOf(error: Error & Record<string, unknown>): string {
  if (error instanceof DrizzleQueryError) return 'Database query failed'
  if (isDatabaseError(error)) return databaseMessage(error)
  if (Array.isArray(error.issues)) return issuesMessage(error.issues)
  const text = String(error.message)
  // V8 quotes the text that could not be parsed as JSON.
  const unquoted = error instanceof SyntaxError ? text.replace(/(["'`]).*\1/s, '"…"') : text
  return maskSecrets(unquoted.slice(0, maxTextLength))
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
const safeStates = /^(08|0A|22001|23|25|26|28|2B|2D|34|3B|3D|3F|40P01|42(?!601)|53|54|55|57|58)/
function databaseMessage(error: DatabaseErrorLike) {
  const state = String(error.code ?? '')
  return safeStates.test(state)
    ? `${maskSecrets(error.message.slice(0, 300))} (${state})`
    : `database error ${state}`
}

/**
 * Returns the field and rule of each schema violation; the messages of rules and received values may quote the input.
 */
const issuesMessage = (issues: unknown[]) =>
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
function framesOf({ stack, message }: Error) {
  if (typeof stack !== 'string') return ''
  const at = message ? stack.indexOf(String(message)) : -1
  const rest = at < 0 ? stack : stack.slice(at + String(message).length)
  return rest
    .split('\n')
    .filter((line) => /^\s+at .*(:\d+|\)|<anonymous>)$/.test(line))
    .map((line) => line.replace(/\?[^:)]*/, ''))
    .join('\n')
    .slice(0, 8000)
}

const secretNames =
  'pass(?:word|wd)?|pwd|secret|token|satoken|authorization|cookie|sign(?:ature)?|api[-_]?key|access[-_]?key|totp|otp|phone|mobile'
const masks: [RegExp, string][] = [
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
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Masks text that looks like a secret. It is the second line of defence after leaving parameters out. Ids of rows and
 * traces are kept.
 */
export function maskSecrets(text: string) {
  let masked = text
  for (const [pattern, replacement] of masks) masked = masked.replace(pattern, replacement)
  return masked.replace(/[\w+=-]{16,}/g, (word) => (isRandom(word) ? '…' : word))
}

/**
 * Recognises keys of devices and sessions. Identifiers made of short words are kept, because a reader searches for
 * them.
 */
function isRandom(word: string) {
  if (uuid.test(word)) return false
  const isMixed = (part: string) => /\d/.test(part) && /[A-Za-z]/.test(part)
  const isBase32 = /^[A-Z2-7]{16,}=*$/.test(word)
  const isLong = word.length >= 32 && isMixed(word) && /[A-Z]/.test(word) && /[a-z]/.test(word)
  return isBase32 || isLong || word.split(/[-_]/).some((part) => part.length >= 16 && isMixed(part))
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

type LogFunction = (...given: unknown[]) => void

/** Logger options for Fastify that reduce every logged error to the output of `describeError`. */
export const safeLogging = {
  // Fastify's own serializer copies every property of an error. Errors that passed the hook below are already
  // described.
  serializers: {
    err: (given: Error | SafeError) => ({
      stack: '',
      ...(given instanceof Error ? describeError(given) : given),
    }),
  },
  hooks: {
    /** Pino would copy the message of an error into the log line, and recognises errors under the key `err` only. */
    logMethod(this: unknown, given: unknown[], write: LogFunction) {
      write.apply(this, describeLogArguments(given))
    },
  },
}

function describeLogArguments(given: unknown[]) {
  const [first, ...rest] = given
  if (typeof first !== 'object' || first === null) return [describeArguments(given)]
  const fields = Object.entries(isErrorLike(first) ? { err: first } : first)
  const safe = Object.fromEntries(
    fields.map(([name, value]) => [name, isErrorLike(value) ? describeError(value) : value]),
  )
  if (rest.length > 0) return [safe, describeArguments(rest)]
  const error = fields.map(([, value]) => value as unknown).find(isErrorLike)
  return error ? [safe, describeForErrorLog(error).message] : [safe]
}
