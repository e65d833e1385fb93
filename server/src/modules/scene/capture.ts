import type { Scope } from '@iot/shared/contract/control'
import type { DeviceState, Values } from '@iot/shared/contract/device'
import { lightSwitch } from '@iot/shared/contract/light'
import { deviceStateText } from '@iot/shared/contract/managedDevice'
import type { SceneAction } from '@iot/shared/contract/scene'
import type { ThingModel } from '@iot/shared/contract/thingModel'
import { refuseValue } from '@iot/shared/contract/thingValue'

type Captured = {
  id: string
  name: string
  protected: boolean
  state: DeviceState
  reported: Values
  stale: Record<string, number>
  model: ThingModel
}
const simple = new Set(['int', 'float', 'double', 'bool', 'enum', 'bitmap'])

/** Returns the current values of a device that can be requested again; a light that is off is only switched off. */
export function settingOf({ reported, stale, model }: Captured): Values {
  const known = model.properties.filter(
    ({ identifier, accessMode, dataType }) =>
      accessMode === 'rw' &&
      simple.has(dataType.type) &&
      identifier in reported &&
      !(identifier in stale) &&
      !refuseValue(dataType, reported[identifier]),
  )
  const values = Object.fromEntries(
    known.map(({ identifier }) => [identifier, reported[identifier]!]),
  )
  return values[lightSwitch] === 0 ? { [lightSwitch]: 0 } : values
}

/**
 * Builds actions that restore the current state of devices. Devices with equal values share an action, and the scope
 * itself is used if all values are equal. A device that is protected, not online or without current values is skipped
 * and listed with the reason in `left`.
 */
export function capture(devices: Captured[], scope: Scope, productType: string) {
  const groups = new Map<string, { values: Values; ids: string[] }>()
  const left: { name: string; reason: string }[] = []
  for (const device of devices) {
    const { name, state } = device
    const values = settingOf(device)
    if (device.protected) left.push({ name, reason: '受保护回路，场景不会控制' })
    else if (state !== 'online')
      left.push({ name, reason: `${deviceStateText[state]}，当前值未知` })
    else if (Object.keys(values).length === 0) left.push({ name, reason: '当前值未知' })
    else {
      const key = JSON.stringify(values)
      const group = groups.get(key) ?? { values, ids: [] }
      group.ids.push(device.id)
      groups.set(key, group)
    }
  }
  const isOne = groups.size === 1 && left.every(({ reason }) => reason.startsWith('受保护'))
  const actions = [...groups.values()].map(({ values, ids }): SceneAction => ({
    productType,
    scope: isOne ? scope : { kind: 'devices', deviceIds: ids },
    values,
    delay: 0,
  }))
  return { actions, left }
}
