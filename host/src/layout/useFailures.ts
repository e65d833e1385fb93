import { App } from 'antd'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { page } from '@iot/shared/client/call'
import { unfinishedAtom } from '@iot/shared/session/drafts'
import { store } from '@iot/shared/session/store'
import { loginPath } from '../pages/login/returnPath'

const here = () => encodeURIComponent(location.pathname + location.search)

/** Connects the client's failures to this page: messages and the screens they lead to. */
export function useFailures() {
  const { message } = App.useApp()
  const navigate = useNavigate()
  useEffect(() => {
    let said = { text: '', at: -Infinity }
    page.showError = (text) => {
      // Calls that fail together say the same once; who tries once more is told once more.
      if (text === said.text && performance.now() - said.at < 1000) return
      said = { text, at: performance.now() }
      message.error(text)
    }
    page.toLogin = () => void navigate(loginPath(location), { replace: true })
    page.toForbidden = (missing) => {
      // A background read that fails must not take the page away from a form with unsaved text.
      if (store.get(unfinishedAtom).length > 0) return page.showError(missing)
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
