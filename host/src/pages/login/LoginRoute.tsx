import { useAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { endReasonAtom } from '@iot/shared/session/user'
import { takeEarly } from '../../layout/search/early'
import { LoginPage } from './LoginPage'
import { returnPath } from './returnPath'

/** Login inside the running app, after a session ended. */
export function LoginRoute() {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [endReason, setEndReason] = useAtom(endReasonAtom)
  // Said once: the next visit to this screen starts without it.
  const [reason] = useState(endReason)
  useEffect(() => setEndReason(''), [setEndReason])
  // What is typed from now on is written here.
  useEffect(() => void takeEarly(), [])
  return (
    <LoginPage reason={reason} onSignedIn={() => navigate(returnPath(search), { replace: true })} />
  )
}
