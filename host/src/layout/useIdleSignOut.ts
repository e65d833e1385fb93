import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { authApi } from '@iot/shared/contract/access/auth.api'
import { minuteMs } from '@iot/shared/contract/duration'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { getPageAddress } from '@iot/shared/contract/platform/siteAddress'
import { sessionEndReasonAtom, signOutAtom } from '@iot/shared/session/user'
import { getLoginPath } from '../pages/login/returnPath'

const inputEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
/** Tabs of one browser share one session, so input in any of them counts for all. */
const storageKey = 'lastInput'
const storeIntervalMs = 5000
const checkIntervalMs = 10_000

/** Records input of the user; a record more often than every few seconds would only cost. */
function watchInput() {
  let recordedTime = 0
  const recordInput = () => {
    if (Date.now() - recordedTime < storeIntervalMs) return
    recordedTime = Date.now()
    try {
      localStorage.setItem(storageKey, String(recordedTime))
    } catch {
      // A full storage hides the input from other tabs only.
    }
  }
  recordInput()
  const options = { passive: true, capture: true }
  for (const name of inputEvents) addEventListener(name, recordInput, options)
  return {
    readLastInput: () => Math.max(recordedTime, Number(localStorage.getItem(storageKey)) || 0),
    stop() {
      for (const name of inputEvents) removeEventListener(name, recordInput, options)
    },
  }
}

/**
 * Signs out when nobody has used the console for the time that the platform allows. The server cannot see this, because
 * an open page calls it by itself.
 */
export function useIdleSignOut() {
  const idleMinutes = useAtomValue(baseConfigAtom)?.idleMinutes ?? 0
  const signOut = useSetAtom(signOutAtom)
  const setEndReason = useSetAtom(sessionEndReasonAtom)
  const navigate = useNavigate()

  const endSession = useEffectEvent(async () => {
    await call(authApi.logout, {}, { quiet: true }).catch(() => {})
    setEndReason(`${idleMinutes} 分钟没有操作，已自动退出，请重新登录`)
    signOut()
    void navigate(getLoginPath(getPageAddress()), { replace: true })
  })

  useEffect(() => {
    if (idleMinutes === 0) return
    const { readLastInput, stop } = watchInput()
    const timer = setInterval(() => {
      if (Date.now() - readLastInput() < idleMinutes * minuteMs) return
      clearInterval(timer)
      void endSession()
    }, checkIntervalMs)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [idleMinutes])
}
