import { App } from 'antd'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { page } from '@iot/shared/client/call'
import { loginPath } from '../pages/login/returnPath'

const here = () => encodeURIComponent(location.pathname + location.search)

/** Connects the client's failures to this page: messages and the screens they lead to. */
export function useFailures() {
  const { message } = App.useApp()
  const navigate = useNavigate()
  useEffect(() => {
    // One key for one text: the same failure of many calls is one message.
    page.showError = (text) => void message.open({ key: text, type: 'error', content: text })
    page.toLogin = () => void navigate(loginPath(location), { replace: true })
    page.toForbidden = (missing) => {
      const from = location.pathname === '/404' ? '' : here()
      // Replaced, so that Back does not lead to the refusal again.
      void navigate(`/404${from && `?from=${from}`}`, { replace: true, state: { missing } })
    }
    page.toUnavailable = () => {
      if (location.pathname === '/serviceUnavailable') return
      void navigate(`/serviceUnavailable?from=${here()}`, { replace: true })
    }
  }, [message, navigate])
}
