import { App } from 'antd'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { page } from '@iot/shared/client/call'
import { unfinishedAtom } from '@iot/shared/session/drafts'
import { store } from '@iot/shared/session/store'
import { loginPath } from '../pages/login/returnPath'

const here = () => encodeURIComponent(location.pathname + location.search)

/** Connects failures of the API client to this page's messages and error screens. */
export function useFailures() {
  const { message } = App.useApp()
  const navigate = useNavigate()
  useEffect(() => {
    let said = { text: '', at: -Infinity }
    page.showError = (text) => {
      // Equal messages within a second are shown once, because calls often fail together; a later retry shows the
      // message again.
      if (text === said.text && performance.now() - said.at < 1000) return
      said = { text, at: performance.now() }
      message.error(text)
    }
    page.toLogin = () => void navigate(loginPath(location), { replace: true })
    page.toForbidden = (missing) => {
      // A failed background read must not take the operator away from an unfinished form.
      if (store.get(unfinishedAtom).length > 0) return page.showError(missing)
      const from = location.pathname === '/404' ? '' : here()
      // The entry is replaced, so that Back does not lead to the refusal again.
      void navigate(`/404${from && `?from=${from}`}`, { replace: true, state: { missing } })
    }
    page.toUnavailable = () => {
      if (location.pathname === '/serviceUnavailable') return
      void navigate(`/serviceUnavailable?from=${here()}`, { replace: true })
    }
  }, [message, navigate])
}
