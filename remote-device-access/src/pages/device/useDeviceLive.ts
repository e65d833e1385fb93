import { isCancelledError, useRequest, useThrottle } from 'ahooks'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { managedDeviceApi } from '@iot/shared/contract/managedDevice'
import {
  deviceStateAtom,
  floorsReloadAtom,
  liveReloadAtom,
  liveStatusAtom,
  watchedDevicesAtom,
} from '@iot/shared/session/live'

/** What a device says and is asked, as it is now: read anew when the live channel tells of it, or by itself without one. */
export function useDeviceLive(id: string) {
  const watch = useSetAtom(watchedDevicesAtom)
  useEffect(() => {
    watch([id])
    return () => watch([])
  }, [id, watch])
  const told = useThrottle(useAtomValue(deviceStateAtom(id)), { wait: 1000 })
  const isLive = useAtomValue(liveStatusAtom) === 'ready'
  const reload = useAtomValue(liveReloadAtom)
  const watching = useAtomValue(floorsReloadAtom)
  const { data, error, refreshAsync } = useRequest(
    () => call(managedDeviceApi.live, { id }, { inline: true }),
    {
      refreshDeps: [id, told, reload, watching, isLive],
      pollingInterval: isLive ? undefined : 3000,
      pollingErrorRetryCount: 3,
    },
  )
  /**
   * Ends when what was just sent is shown. A read that another overtook is made once more; one that failed is said by
   * `error`, and is no failure of what was sent.
   */
  const refresh = async (): Promise<unknown> =>
    refreshAsync().catch((failure: unknown) => isCancelledError(failure) && refresh())
  return { live: data, error, refresh }
}
