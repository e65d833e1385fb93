import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { store } from '@iot/shared/session/store'
import { tokenAtom, userInfoAtom } from '@iot/shared/session/user'
import { app, askAhead, askWhoIsThere, prepareBehindLogin } from './behindLogin'
import { asLoadFailure } from './federation/failure'
import { ownStyles } from './federation/files'
import { LoadFailed } from './federation/LoadFailed'
import { takesOverride } from './federation/override'
import { watchHeldKeys } from './heldKeys'
import { takeEarly, watchSearchKey } from './layout/search/early'
import { reportError } from './pages/errors/reportError'
import { LoginPage } from './pages/login/LoginPage'
import { loginPath, returnPath } from './pages/login/returnPath'
import { Providers } from './providers'

addEventListener('error', ({ error }) => error instanceof Error && reportError(error))
watchHeldKeys()

const root = createRoot(document.getElementById('root')!)
const show = (page: ReactNode) => root.render(<Providers>{page}</Providers>)

/** Renders the page as soon as its style sheets are loaded; a failed load is reported and retried. */
async function open(page: () => ReactNode | Promise<ReactNode>) {
  try {
    const [content] = await Promise.all([page(), ownStyles()])
    show(content)
  } catch (error) {
    takeEarly()
    show(<LoadFailed failure={asLoadFailure(error)} onRetry={() => open(page)} />)
  }
}

function login() {
  history.replaceState(null, '', loginPath(location))
  prepareBehindLogin()
  const enter = () => {
    history.replaceState(null, '', returnPath(location.search))
    void open(app)
  }
  return <LoginPage onSignedIn={enter} />
}

const withoutSession = ['/404', '/serviceUnavailable']

const isReady = store.get(tokenAtom) !== null && !store.get(userInfoAtom)?.mustChangePassword

if (takesOverride()) {
  // The page is about to reload.
} else {
  // The fallback text of the HTML is removed, because failures are reported by script from here.
  document.querySelector('.late')?.remove()
  if (isReady) {
    askWhoIsThere()
    askAhead(location)
    watchSearchKey()
  }
  void open(isReady || withoutSession.includes(location.pathname) ? app : login)
}
