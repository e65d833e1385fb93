import type { DeviceState, Values } from '@iot/shared/contract/device/device.schema'
import { lightSwitchIdentifier } from '@iot/shared/contract/control/light'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import type { SceneAction, SceneScope } from '@iot/shared/contract/control/scene.schema'
import type { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { validateValue } from '@iot/shared/contract/thingModel/thingValue'

type CapturedDevice = {
  id: string
  name: string
  protected: boolean
  state: DeviceState
  reported: Values
  stale: Record<string, number>
  model: ThingModel
}
const simpleDataTypes = new Set(['int', 'float', 'double', 'bool', 'enum', 'bitmap'])

/** Returns the current values of a device that can be requested again; a light that is off is only switched off. */
export function getRestorableValues({ reported, stale, model }: CapturedDevice): Values {
  const restorableProperties = model.properties.filter(
    ({ identifier, accessMode, dataType, isDeprecated }) =>
      !isDeprecated &&
      accessMode === 'rw' &&
      simpleDataTypes.has(dataType.type) &&
      identifier in reported &&
      !(identifier in stale) &&
      !validateValue(dataType, reported[identifier]),
  )
  const values = Object.fromEntries(
    restorableProperties.map(({ identifier }) => [identifier, reported[identifier]!]),
  )
  return values[lightSwitchIdentifier] === 0 ? { [lightSwitchIdentifier]: 0 } : values
}

/**
 * Builds actions that restore the current state of devices. Devices with equal values share an action, and the scope
 * itself is used if all values are equal. A device that is protected, not online or without current values is skipped
 * and listed with the reason in `skippedDevices`.
 */
export function captureActions(devices: CapturedDevice[], scope: SceneScope, productType: string) {
  const groups = new Map<string, { values: Values; ids: string[] }>()
  const skippedDevices: { name: string; reason: string }[] = []
  for (const device of devices) {
    const { name, state } = device
    const values = getRestorableValues(device)
    if (device.protected) skippedDevices.push({ name, reason: '受保护回路，场景不会控制' })
    else if (state !== 'online')
      skippedDevices.push({ name, reason: `${deviceStateText[state]}，当前值未知` })
    else if (Object.keys(values).length === 0) skippedDevices.push({ name, reason: '当前值未知' })
    else {
      const key = JSON.stringify(values)
      const group = groups.get(key) ?? { values, ids: [] }
      group.ids.push(device.id)
      groups.set(key, group)
    }
  }
  const hasUniformValues =
    groups.size === 1 && skippedDevices.every(({ reason }) => reason.startsWith('受保护'))
  const actions = [...groups.values()].map(({ values, ids }): SceneAction => ({
    productType,
    scope: hasUniformValues ? scope : { kind: 'devices', deviceIds: ids },
    values,
    delay: 0,
  }))
  return { actions, left: skippedDevices }
}
