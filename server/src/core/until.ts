/**
 * Polls until `isReached` is true.
 * @throws Error with the last value when the time is over
 */
export async function waitUntil<T>(
  readValue: () => Promise<T> | T,
  isReached: (value: T) => boolean,
  timeoutMs = 90_000,
): Promise<T> {
  for (
    const end = Date.now() + timeoutMs;
    ;
    await new Promise((resolve) => setTimeout(resolve, 20))
  ) {
    const value = await readValue()
    if (isReached(value)) return value
    if (Date.now() > end) throw new Error(`Still ${JSON.stringify(value)}`)
  }
}
