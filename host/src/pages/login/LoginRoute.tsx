import { useAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { sessionEndReasonAtom } from '@iot/shared/session/user'
import { takeEarlyInput } from '../../layout/search/earlySearch'
import { LoginPage } from './LoginPage'
import { getReturnPath } from './returnPath'

/** Shows the login page inside the running app after a session has ended. */
export function LoginRoute() {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [endReason, setEndReason] = useAtom(sessionEndReasonAtom)
  // The reason is shown once; the next visit to this page starts without it.
  const [reason] = useState(endReason)
  useEffect(() => setEndReason(''), [setEndReason])
  // Keys recorded for the search are dropped, because further typing belongs to the login form.
  useEffect(() => void takeEarlyInput(), [])
  return (
    <LoginPage
      reason={reason}
      onSignedIn={() => navigate(getReturnPath(search), { replace: true })}
    />
  )
}
