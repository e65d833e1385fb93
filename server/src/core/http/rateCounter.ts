import { minuteMs } from '@iot/shared/contract/duration'

/** Counts how often an event happens; `perMinute` returns the count of the last complete minute. */
export function createRateCounter(now = Date.now) {
  let window = { minute: Math.floor(now() / minuteMs), count: 0 }
  let previous = window
  const advance = () => {
    const currentMinute = Math.floor(now() / minuteMs)
    if (currentMinute === window.minute) return
    previous =
      window.minute === currentMinute - 1 ? window : { minute: currentMinute - 1, count: 0 }
    window = { minute: currentMinute, count: 0 }
  }
  return {
    add() {
      advance()
      window.count++
    },
    perMinute() {
      advance()
      return previous.minute === window.minute - 1 ? previous.count : window.count
    },
  }
}
