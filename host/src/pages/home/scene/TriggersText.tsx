import type { Trigger } from '@iot/shared/contract/scene'
import { askedOf, wordsOfTriggers, type AskedDevices } from '@iot/shared/contract/sceneText'
import { useDevices } from '@iot/shared/control/devicesField'
import type { Read } from './useOptions'

type TriggersTextProps = { projectId: number; read: Read; triggers: Trigger[] }

/** Describes the triggers of a scene in one line. */
export function TriggersText({ projectId, read, triggers }: TriggersTextProps) {
  const ids = askedOf(triggers)
  const devices = useDevices({ projectId, ids })
  const { options, error } = read
  // Conditions need the options, because only the product types give the meaning of values.
  if (ids.length > 0 && !options) return error ? `没有读到：${error.message}` : '还没有读到'
  const asked: AskedDevices = new Map(
    ids.map((id) => {
      const device = devices.find(id)
      const type = options?.types.find(({ code }) => code === device?.productType)
      return [id, { name: device?.name ?? '设备', properties: type?.properties ?? [] }]
    }),
  )
  return wordsOfTriggers(triggers, asked) || '手动'
}
