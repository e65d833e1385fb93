import { shortTime } from '@iot/shared/client/zone'

/** Formats a time; a time of today is shown without the date. */
export const timeText = (time: string) => shortTime(time)
