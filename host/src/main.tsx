import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { store } from '@iot/shared/session/store'
import { tokenAtom, userInfoAtom } from '@iot/shared/session/user'
import { asLoadFailure } from './federation/failure'
import { ownStyles } from './federation/files'
import { LoadFailed } from './federation/LoadFailed'
import { takesOverride } from './federation/override'
import { prefetchFor, pointer } from './federation/releases'
import { reportError } from './pages/errors/reportError'
import { LoginPage } from './pages/login/LoginPage'
import { loginPath, returnPath } from './pages/login/returnPath'
import { Providers } from './providers'
import { remoteFor } from './remotes'

addEventListener('error', ({ error }) => error instanceof Error && reportError(error))

const root = createRoot(document.getElementById('root')!)
const show = (page: ReactNode) => root.render(<Providers>{page}</Providers>)

/** Shows what it gets as soon as the page's style sheets are there too; what does not come is said, and asked for again. */
async function open(page: () => ReactNode | Promise<ReactNode>) {
  try {
    const [content] = await Promise.all([page(), ownStyles()])
    show(content)
  } catch (error) {
    show(<LoadFailed failure={asLoadFailure(error)} onRetry={() => open(page)} />)
  }
}

/** Everything behind login is one chunk away, so that login pays for none of it. */
async function app() {
  const remote = remoteFor(location.pathname)
  if (remote) void prefetchFor(remote.name, location.pathname).catch(() => {})
  else void pointer().catch(() => {})
  const { App } = await import(/* webpackChunkName: "app" */ './app')
  return <App />
}

function login() {
  history.replaceState(null, '', loginPath(location))
  const enter = () => {
    history.replaceState(null, '', returnPath(location.search))
    void open(app)
  }
  return <LoginPage onSignedIn={enter} />
}

const withoutSession = ['/404', '/serviceUnavailable']

const isReady = store.get(tokenAtom) !== null && !store.get(userInfoAtom)?.mustChangePassword

if (takesOverride()) {
  // The page is on its way again.
} else {
  // From here on it is said at once why something does not come.
  document.querySelector('.late')?.remove()
  void open(isReady || withoutSession.includes(location.pathname) ? app : login)
}
