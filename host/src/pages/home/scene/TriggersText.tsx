import type { Trigger } from '@iot/shared/contract/scene'
import { askedOf, wordsOfTriggers, type AskedDevices } from '@iot/shared/contract/sceneText'
import { useDevices } from '@iot/shared/control/devicesField'
import { useOptions } from './useOptions'

type TriggersTextProps = { projectId: number; triggers: Trigger[] }

/** What starts a scene by itself, in a line. */
export function TriggersText({ projectId, triggers }: TriggersTextProps) {
  const ids = askedOf(triggers)
  const { options } = useOptions(projectId)
  const devices = useDevices({ projectId, ids })
  const asked: AskedDevices = new Map(
    ids.map((id) => {
      const device = devices.find(id)
      const type = options?.types.find(({ code }) => code === device?.productType)
      return [id, { name: device?.name ?? '设备', properties: type?.properties ?? [] }]
    }),
  )
  return wordsOfTriggers(triggers, asked) || '手动'
}
