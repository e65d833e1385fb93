import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { getPageAddress } from '@iot/shared/contract/platform/siteAddress'
import { failureHandlers } from '@iot/shared/client/call'
import { unsavedFormPathsAtom } from '@iot/shared/session/drafts'
import { store } from '@iot/shared/session/store'
import { useFeedback } from '@iot/shared/ui/feedback'
import { getLoginPath } from '../pages/login/returnPath'

const getCurrentAddress = () => {
  const { pathname, search } = getPageAddress()
  return encodeURIComponent(pathname + search)
}

/** Connects failures of the API client to this page's messages and error screens. */
export function useApiErrorHandling() {
  const { message } = useFeedback()
  const navigate = useNavigate()
  useEffect(() => {
    let lastError = { text: '', at: -Infinity }
    failureHandlers.showError = (text) => {
      // Equal messages within a second are shown once, because calls often fail together; a later retry shows the
      // message again.
      if (text === lastError.text && performance.now() - lastError.at < 1000) return
      lastError = { text, at: performance.now() }
      message.error(text)
    }
    failureHandlers.toLogin = () => void navigate(getLoginPath(getPageAddress()), { replace: true })
    failureHandlers.toForbidden = (missingPermission) => {
      // A failed background read must not take the operator away from an unfinished form.
      if (store.get(unsavedFormPathsAtom).length > 0)
        return failureHandlers.showError(missingPermission)
      const from = getPageAddress().pathname === '/404' ? '' : getCurrentAddress()
      // The entry is replaced, so that Back does not lead to the refusal again.
      void navigate(`/404${from && `?from=${from}`}`, {
        replace: true,
        state: { missing: missingPermission },
      })
    }
    failureHandlers.toUnavailable = () => {
      if (getPageAddress().pathname === '/serviceUnavailable') return
      void navigate(`/serviceUnavailable?from=${getCurrentAddress()}`, { replace: true })
    }
  }, [message, navigate])
}
