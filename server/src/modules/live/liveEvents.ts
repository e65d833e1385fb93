import type { LiveState } from '@iot/shared/contract/device/device.schema'
import type { ServerMessage } from '@iot/shared/contract/live.schema'

export type Page = { send: (text: string) => void; bufferedAmount: number }
export type FloorState = { state: LiveState; floorId: string | null }
export type LiveEvent =
  | { cursor: number; placed: FloorState[] }
  | Extract<ServerMessage, { type: 'tasks' | 'lights' | 'shift' | 'controlLists' | 'changed' }>
export type Subscriber = {
  /** Ids of floors and devices that the page subscribes to; undefined subscribes to the whole project. */
  subscribedIds?: ReadonlySet<string>
  /** Subscribers with the same key share one serialised event. */
  key: string
  isBehind: boolean
}

export const sendMessage = (page: Page, message: ServerMessage) =>
  page.send(JSON.stringify(message))

export const matchesSubscriber =
  ({ subscribedIds }: Subscriber) =>
  ({ floorId, state }: FloorState) =>
    !subscribedIds ||
    subscribedIds.has(state.id) ||
    (floorId !== null && subscribedIds.has(floorId))

/** Returns the serialised event, or an empty text if it does not concern the page. */
export function serializeEvent(subscriber: Subscriber, event: LiveEvent) {
  if ('type' in event) return JSON.stringify(event)
  const devices = event.placed.filter(matchesSubscriber(subscriber)).map(({ state }) => state)
  if (devices.length === 0) return ''
  return JSON.stringify({ type: 'states', cursor: event.cursor, devices } satisfies ServerMessage)
}
