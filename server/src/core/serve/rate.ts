const minute = 60_000

/** Counts how often an event happens; `perMinute` returns the count of the last complete minute. */
export function openRate(now = Date.now) {
  let current = { minute: Math.floor(now() / minute), count: 0 }
  let before = current
  const move = () => {
    const at = Math.floor(now() / minute)
    if (at === current.minute) return
    before = current.minute === at - 1 ? current : { minute: at - 1, count: 0 }
    current = { minute: at, count: 0 }
  }
  return {
    add() {
      move()
      current.count++
    },
    perMinute() {
      move()
      return before.minute === current.minute - 1 ? before.count : current.count
    },
  }
}
