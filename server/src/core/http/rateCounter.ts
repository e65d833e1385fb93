import { minuteMs } from '@iot/shared/contract/duration'

/** Counts how often an event happens; `perMinute` returns the count of the last complete minute. */
export function createRateCounter(now = Date.now) {
  let current = { minute: Math.floor(now() / minuteMs), count: 0 }
  let previous = current
  const advance = () => {
    const currentMinute = Math.floor(now() / minuteMs)
    if (currentMinute === current.minute) return
    previous =
      current.minute === currentMinute - 1 ? current : { minute: currentMinute - 1, count: 0 }
    current = { minute: currentMinute, count: 0 }
  }
  return {
    add() {
      advance()
      current.count++
    },
    perMinute() {
      advance()
      return previous.minute === current.minute - 1 ? previous.count : current.count
    },
  }
}
