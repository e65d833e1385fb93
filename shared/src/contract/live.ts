/**
 * Each page opens one WebSocket. Its first message must be `auth`; otherwise the server closes with 4401 and the
 * reason.
 */
export const livePath = '/v1/live'
export const liveRefusedCode = 4401
/** Seconds between two pings, which close dead connections. */
export const pingSeconds = 25
export const heartbeatSeconds = 2
/** Seconds without a message after which a page marks its data as not updated. */
export const staleAfterSeconds = 5
/** The user has too many pages open, or the page sends too many messages; it may reconnect later. */
export const liveBusyCode = 4429
