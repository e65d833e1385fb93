import { minuteMs } from '@iot/shared/contract/duration'
import { platformTimeZone, toZonedText } from '@iot/shared/contract/timeZone'

/** Share of the rooms that are occupied on a workday, by the hour; people arrive from 8, eat at 12 and leave from 18. */
const workdayShares = [
  0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.03, 0.1, 0.5, 0.85, 0.9, 0.85, 0.55, 0.7, 0.88, 0.9, 0.85,
  0.75, 0.45, 0.25, 0.15, 0.1, 0.05, 0.03,
]
const weekendShare = 0.06

/** Returns the share of rooms that are occupied at a moment, by the clock of the building. */
export function getOccupancyShare(momentMs: number) {
  const [date, clock] = toZonedText(momentMs, platformTimeZone).split(' ')
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  const hour = Number(clock!.slice(0, 2))
  const share = workdayShares[hour]!
  return weekday === 0 || weekday === 6 ? Math.min(share, weekendShare) : share
}

const minStayMs = 10 * minuteMs
const maxStayMs = 40 * minuteMs

/**
 * Creates a room that people enter and leave. Its state lasts 10 to 40 minutes, and longer where the next state is the
 * same.
 */
export function createRoomOccupancy(random: () => number) {
  let isOccupied: boolean | undefined
  let nextDecisionMs = 0
  /** @param wasOccupied state before the first call, if it is known */
  return (momentMs: number, wasOccupied?: boolean) => {
    if (isOccupied === undefined || momentMs >= nextDecisionMs) {
      // The first stay began before the simulation, so that the rooms of a building do not change together.
      const elapsedShare = isOccupied === undefined ? random() : 0
      const nextState = random() < getOccupancyShare(momentMs)
      isOccupied = isOccupied === undefined ? (wasOccupied ?? nextState) : nextState
      nextDecisionMs =
        momentMs + (minStayMs + random() * (maxStayMs - minStayMs)) * (1 - elapsedShare)
    }
    return isOccupied
  }
}

const warmestHour = 15
/** Returns the room temperature in °C around which a sensor drifts; the afternoon is the warmest. */
export function getUsualTemperature(momentMs: number) {
  const hourOfDay = Number(toZonedText(momentMs, platformTimeZone).slice(11, 13))
  return 23.2 + 1.6 * Math.cos(((hourOfDay - warmestHour) * 2 * Math.PI) / 24)
}
