import type { IClientOptions } from 'mqtt'

/**
 * A connection to an external broker is lost after one and a half of these intervals, also where packets vanish without
 * an answer; `/readyz` promises 15 s. Shorter intervals would take a busy process for a lost one.
 */
const keepaliveSeconds = 8

/** Options of every connection of the platform to an external broker. */
export const externalConnectOptions = {
  keepalive: keepaliveSeconds,
  // Otherwise each message postpones the ping, and a process that only publishes never notices.
  reschedulePings: false,
  connectTimeout: 5000,
  reconnectPeriod: 1000,
} satisfies IClientOptions
