/** Lengths of time in milliseconds, and in seconds for values that count seconds. A day has 24 hours here. */
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
export const hourSeconds = 3600
export const daySeconds = 24 * hourSeconds

/** Returns the ISO time that lies this many milliseconds in the past. */
export const getPastTime = (agoMs: number, nowMs = Date.now()) =>
  new Date(nowMs - agoMs).toISOString()
