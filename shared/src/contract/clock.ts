/**
 * Clock for time rules of the contract. A browser uses the server's time here (see `client/serverClock`), because its
 * own clock may be days off.
 */
export const clock = { now: () => Date.now() }
