import { format } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'

/** What a log line or the error log may hold of an error. */
export type SafeError = {
  type: string
  message: string
  stack?: string
  /** SQL with placeholders; its parameters are what people typed and what is secret. */
  statement?: string
  causes?: SafeError[]
} & Record<string, unknown>

/** Properties that name a place or a kind. Everything else of an error may be input: `params`, `detail`, `config`, `issues`. */
const safeProperties = [
  ...['code', 'errno', 'syscall', 'address', 'port', 'status', 'statusCode', 'signal'],
  ...['severity', 'schema', 'table', 'column', 'constraint', 'dataType', 'routine'],
]
const maxCauses = 8
const maxTextLength = 2000
const maxStatementLength = 500

/**
 * Serializes any thrown value for logs: type, message without values, stack frames, and the same of its causes. It lists
 * what may be kept, so that a property nobody thought of is left out.
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

/** The reason in one line: that of the innermost cause. */
export function describeReason(error: unknown): string {
  let safe = describeError(error)
  while (safe.causes?.[0]) safe = safe.causes[0]
  return safe.message
}

/** As text for the error log: the message of every cause in one line, the frames of all below each other. */
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

/** Text of `console.error(…)` arguments; objects are named and not shown. */
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

/** Whoever throws a string chose its words; an object may hold anything. */
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
  // V8 quotes the text that is not JSON.
  const unquoted = error instanceof SyntaxError ? text.replace(/(["'`]).*\1/s, '"…"') : text
  return maskSecrets(unquoted.slice(0, maxTextLength))
}

type DatabaseErrorLike = Error & { code?: unknown; severity?: unknown }
const isDatabaseError = (error: DatabaseErrorLike) =>
  error instanceof pg.DatabaseError ||
  (typeof error.severity === 'string' && /^[0-9A-Z]{5}$/.test(String(error.code)))

/**
 * Classes of SQLSTATE (PostgreSQL's appendix A) whose messages name objects only. Class 22 quotes the value, 42601 the
 * statement, P0 is written by functions, and distributed engines put the key into 40001.
 */
const safeStates = /^(08|0A|22001|23|25|26|28|2B|2D|34|3B|3D|3F|40P01|42(?!601)|53|54|55|57|58)/
function databaseMessage(error: DatabaseErrorLike) {
  const state = String(error.code ?? '')
  return safeStates.test(state)
    ? `${maskSecrets(error.message.slice(0, 300))} (${state})`
    : `database error ${state}`
}

/** Field and rule of what a schema refused; messages of rules and received values may quote the input. */
const issuesMessage = (issues: unknown[]) =>
  `invalid input: ${issues
    .slice(0, 10)
    .map((issue) => {
      const { path, code } = (issue ?? {}) as { path?: unknown[]; code?: unknown }
      return maskSecrets(`${(path ?? []).join('.').slice(0, 100)} ${String(code ?? '')}`.trim())
    })
    .join(', ')}`

/** Frames only: the head of a stack repeats the message, of many lines where it holds a statement. */
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
  // `scheme://user:password@host` and what follows the question mark of a URL.
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
  // A mobile number of mainland China.
  [/(?<!\d)(?:\+?86[- ]?)?1[3-9]\d(?:[- ]?\d{4}){2}(?!\d)/g, '…'],
]
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Takes out of a text what looks like a secret: the second net, below leaving parameters out. Ids of rows and traces stay.
 */
export function maskSecrets(text: string) {
  let masked = text
  for (const [pattern, replacement] of masks) masked = masked.replace(pattern, replacement)
  return masked.replace(/[\w+=-]{16,}/g, (word) => (isRandom(word) ? '…' : word))
}

/** Keys of devices and sessions; not names made of short words, which are what a reader looks for. */
function isRandom(word: string) {
  if (uuid.test(word)) return false
  const isMixed = (part: string) => /\d/.test(part) && /[A-Za-z]/.test(part)
  const isBase32 = /^[A-Z2-7]{16,}=*$/.test(word)
  const isLong = word.length >= 32 && isMixed(word) && /[A-Z]/.test(word) && /[a-z]/.test(word)
  return isBase32 || isLong || word.split(/[-_]/).some((part) => part.length >= 16 && isMixed(part))
}

/** A stack that a browser sent: its frames lead to the source and stay, its other lines are text. */
export const maskStack = (stack: string) =>
  stack
    .split('\n')
    .map((line) => (/^\s*(at |[^\s]*@).*:\d+\)?$/.test(line) ? line : maskSecrets(line)))
    .join('\n')

type LogFunction = (...given: unknown[]) => void

/** What Fastify's logger is told, so that no line holds more of an error than `describeError` keeps. */
export const safeLogging = {
  // Fastify's own serializer copies every property. What passed the hook is described already.
  serializers: {
    err: (given: Error | SafeError) => ({
      stack: '',
      ...(given instanceof Error ? describeError(given) : given),
    }),
  },
  hooks: {
    /** Pino copies the message of an error into the line by itself, and knows errors under `err` only. */
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
