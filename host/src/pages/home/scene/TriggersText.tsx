import type { Trigger } from '@iot/shared/contract/control/scene.schema'
import {
  listConditionDeviceIds,
  describeTriggers,
  type ConditionDevices,
} from '@iot/shared/contract/control/sceneText'
import { useDevices } from '@iot/shared/control/devicesField'
import type { SceneOptionsRead } from './useSceneOptions'

type TriggersTextProps = { projectId: number; read: SceneOptionsRead; triggers: Trigger[] }

/** Reads the names and properties of the devices in conditions; undefined until the options are read. */
export function useConditionDevices({ projectId, read: { options }, triggers }: TriggersTextProps) {
  const deviceIds = listConditionDeviceIds(triggers)
  const devices = useDevices({ projectId, ids: deviceIds })
  // Conditions need the options, because only the product types give the meaning of values.
  if (deviceIds.length > 0 && !options) return undefined
  const deviceById: ConditionDevices = new Map(
    deviceIds.map((id) => {
      const device = devices.find(id)
      const type = options?.types.find(({ code }) => code === device?.productType)
      return [id, { name: device?.name ?? '设备', properties: type?.properties ?? [] }]
    }),
  )
  return deviceById
}

/** Describes the triggers of a scene in one line. */
export function TriggersText(props: TriggersTextProps) {
  const devices = useConditionDevices(props)
  const { error } = props.read
  if (!devices) return error ? `没有读到：${error.message}` : '还没有读到'
  return describeTriggers(props.triggers, devices) || '手动'
}
