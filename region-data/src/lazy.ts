/**
 * Creates a frozen list that is filled at its first access. All array operations pass through `Reflect` unchanged, so
 * `map`, spread, `length`, `JSON.stringify` and `Object.isFrozen` see the real list.
 */
export function createLazyList<T>(load: () => readonly T[]): readonly T[] {
  const list: T[] = []
  const fillList = () => {
    if (!Object.isFrozen(list)) Object.freeze(Object.assign(list, load()))
  }
  const traps = Object.getOwnPropertyNames(Reflect).map((name) => {
    const reflectMethod = Reflect[name as keyof typeof Reflect] as unknown as (
      ...args: unknown[]
    ) => unknown
    return [name, (...args: unknown[]) => (fillList(), reflectMethod(...args))]
  })
  return new Proxy(list, Object.fromEntries(traps))
}
