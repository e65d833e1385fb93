import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { LoginPage } from './LoginPage'
import { returnPath } from './returnPath'

/** Login inside the running app, after a session ended. */
export function LoginRoute() {
  const navigate = useNavigate()
  const { search, state } = useLocation() as { search: string; state: { reason?: string } | null }
  const [reason] = useState(state?.reason)
  return <LoginPage reason={reason} onSignedIn={() => navigate(returnPath(search), { replace: true })} />
}
