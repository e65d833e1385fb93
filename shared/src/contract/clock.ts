/**
 * The clock that rules of the contract are held against: in a browser the one of the server, see `client/serverClock`,
 * because its own may be days off.
 */
export const clock = { now: () => Date.now() }
