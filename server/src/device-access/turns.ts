/** Runs jobs with the same key one after the other, in the order of arrival. */
export function openTurns() {
  const last = new Map<string, Promise<void>>()
  return (key: string, work: () => Promise<unknown>) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work).then(() => {
      if (last.get(key) === turn) last.delete(key)
    })
    last.set(key, turn)
    return turn
  }
}
