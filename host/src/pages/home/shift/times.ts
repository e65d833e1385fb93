import { shortTime } from '@iot/shared/client/zone'

/** Today by its time alone. */
export const timeText = (time: string) => shortTime(time)
