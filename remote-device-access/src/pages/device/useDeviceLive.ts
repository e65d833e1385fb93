import useRequest, { isCancelledError } from 'ahooks/es/useRequest'
import useThrottle from 'ahooks/es/useThrottle'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import {
  deviceStateAtom,
  floorsReloadAtom,
  liveReloadAtom,
  liveStatusAtom,
  watchedDevicesAtom,
} from '@iot/shared/session/live'

/**
 * Returns reported and desired values of a device. They are read again when the live channel reports a change, or
 * periodically without it.
 */
export function useDeviceLive(id: string) {
  const watchDevices = useSetAtom(watchedDevicesAtom)
  useEffect(() => {
    watchDevices([id])
    return () => watchDevices([])
  }, [id, watchDevices])
  const throttledLiveState = useThrottle(useAtomValue(deviceStateAtom(id)), { wait: 1000 })
  const isLive = useAtomValue(liveStatusAtom) === 'ready'
  const reloadCount = useAtomValue(liveReloadAtom)
  const floorsReload = useAtomValue(floorsReloadAtom)
  const { data, error, refreshAsync } = useRequest(
    () => call(managedDeviceApi.live, { id }, { inline: true }),
    {
      refreshDeps: [id, throttledLiveState, reloadCount, floorsReload, isLive],
      pollingInterval: isLive ? undefined : 3000,
      pollingErrorRetryCount: 3,
    },
  )
  /**
   * Resolves when the values of a command just sent are shown. A read that was cancelled by a newer one is repeated. A
   * failed read is returned as `error`, because it is no failure of the command.
   */
  const refresh = async (): Promise<unknown> =>
    refreshAsync().catch((failure: unknown) => isCancelledError(failure) && refresh())
  return { live: data, error, refresh }
}
