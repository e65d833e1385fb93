import type { MapDevice } from '../../contract/device/device.schema'
import { deviceStateAtom } from '../../session/live'
import { findInFlightState, inFlightCommandsAtom } from '../../session/outgoing'
import { overrideFinderAtom } from '../../session/overrides'
import { store } from '../../session/store'
import { formatLightLabel, type LiveDevice } from '../lights'

export const getLiveDevice = (light: MapDevice): LiveDevice => ({
  ...light,
  ...store.get(deviceStateAtom(light.id)),
  override: store.get(overrideFinderAtom)(light),
  outgoing: findInFlightState(store.get(inFlightCommandsAtom), light.id),
})

export const formatLabel = (light: LiveDevice, fault?: string) =>
  [formatLightLabel(light), fault].filter(Boolean).join('，')
