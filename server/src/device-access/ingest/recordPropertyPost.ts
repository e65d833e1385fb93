import type { KnownDevice } from '../directory'
import { buildErrorMessages, readValues } from '../protocol/readValues'
import type { States } from './deviceStates'

/** Records a property post and returns the reason for each value that was not stored. */
export function recordPropertyPost(
  states: States,
  device: KnownDevice,
  params: unknown,
  isHistory = false,
) {
  const readResult = readValues(device.model.properties, params)
  const withoutHistory = new Set(
    device.model.properties.filter(({ isHistory }) => !isHistory).map((one) => one.identifier),
  )
  const isInHistory = (identifier: string) => !withoutHistory.has(identifier)
  const lateMessages = states.report(device, readResult.values, {
    times: readResult.times,
    belongsInHistory: isInHistory,
    isHistory,
    dropped: readResult.reasons,
  })
  return { ...buildErrorMessages(readResult), ...lateMessages }
}
