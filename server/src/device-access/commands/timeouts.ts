import { dayMs } from '@iot/shared/contract/duration'
import { z } from 'zod'

type Timeout = { variable: string; defaultMs: number; minMs: number; maxMs: number }

/**
 * The platform waits for devices as long as this list says, in milliseconds. Each value can be set by its environment
 * variable; defaults and limits stand only here.
 */
const deviceTimeouts = {
  /** An entry of a control task, single switches included, ends as 超时 without an acknowledgement in this time. */
  controlReplyMs: {
    variable: 'CONTROL_REPLY_TIMEOUT_MS',
    defaultMs: 10_000,
    minMs: 1000,
    maxMs: 60_000,
  },
  /** An acknowledged entry ends as 已确认（未上报） after this pause without a report. */
  controlReportMs: {
    variable: 'CONTROL_REPORT_TIMEOUT_MS',
    defaultMs: 3000,
    minMs: 100,
    maxMs: 60_000,
  },
  /** A stop of the platform waits this long for answers to commands that were already sent. */
  controlDrainMs: {
    variable: 'CONTROL_DRAIN_TIMEOUT_MS',
    defaultMs: 3000,
    minMs: 0,
    maxMs: 8000,
  },
  /** A service call or a pushed configuration fails without a reply in this time; a page waits 20 s for the answer. */
  serviceReplyMs: {
    variable: 'SERVICE_REPLY_TIMEOUT_MS',
    defaultMs: 10_000,
    minMs: 1000,
    maxMs: 18_000,
  },
  /** An online device with stale values is queried after this time; most devices report by themselves before. */
  staleFirstQueryMs: {
    variable: 'STALE_FIRST_QUERY_MS',
    defaultMs: 3000,
    minMs: 100,
    maxMs: 300_000,
  },
  /** The pause between two queries of a silent device doubles up to this limit. */
  staleMaxPauseMs: {
    variable: 'STALE_MAX_PAUSE_MS',
    defaultMs: 300_000,
    minMs: 1000,
    maxMs: dayMs,
  },
} as const satisfies Record<string, Timeout>

type TimeoutName = keyof typeof deviceTimeouts
export type CommandTimeouts = Record<TimeoutName, number>
export type CommandTimeoutOptions = Partial<CommandTimeouts>

const timeoutEntries = Object.entries(deviceTimeouts) as [TimeoutName, Timeout][]

/** Returns all timeouts: the overrides, and the defaults of the others. */
export const getCommandTimeouts = (overrides: CommandTimeoutOptions = {}) =>
  Object.fromEntries(
    timeoutEntries.map(([name, { defaultMs }]) => [name, overrides[name] ?? defaultMs]),
  ) as CommandTimeouts

const durationSchema = ({ variable, minMs, maxMs }: Timeout) =>
  z.coerce
    .number(`${variable} 须为毫秒数`)
    .int(`${variable} 须为毫秒数`)
    .min(minMs, `${variable} 至少为 ${minMs}`)
    .max(maxMs, `${variable} 最多为 ${maxMs}`)
    .optional()

/** Schemas of the environment variables by name. */
export const commandTimeoutSchemas = Object.fromEntries(
  timeoutEntries.map(([, timeout]) => [timeout.variable, durationSchema(timeout)]),
) as Record<(typeof deviceTimeouts)[TimeoutName]['variable'], ReturnType<typeof durationSchema>>

/** Picks the timeouts that the environment sets. */
export const readCommandTimeouts = (environment: Record<string, unknown>): CommandTimeoutOptions =>
  Object.fromEntries(
    timeoutEntries.flatMap(([name, { variable }]) =>
      environment[variable] === undefined ? [] : [[name, environment[variable] as number]],
    ),
  )

/**
 * Edge clients, which the simulated building, tests and benchmarks use, give up a request after this time. A broker that
 * logs in thousands of sub-devices at once may take seconds to reply.
 */
export const edgeReplyTimeoutMs = 30_000
