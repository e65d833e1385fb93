import { App } from 'antd'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { page } from '@iot/shared/client/call'
import { loginPath } from '../pages/login/returnPath'

/** Connects the client's failures to this page: messages and the screens they lead to. */
export function useFailures() {
  const { message } = App.useApp()
  const navigate = useNavigate()
  useEffect(() => {
    // One key for one text: the same failure of many calls is one message.
    page.showError = (text) => void message.open({ key: text, type: 'error', content: text })
    page.toLogin = () => void navigate(loginPath(location), { replace: true })
    page.toForbidden = (missing) => void navigate('/404', { state: { missing } })
    page.toUnavailable = () => {
      if (location.pathname === '/serviceUnavailable') return
      void navigate(
        `/serviceUnavailable?from=${encodeURIComponent(location.pathname + location.search)}`,
        { replace: true },
      )
    }
  }, [message, navigate])
}
