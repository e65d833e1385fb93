import { createRoot } from 'react-dom/client'
import { store } from '@iot/shared/session/store'
import { tokenAtom, userInfoAtom } from '@iot/shared/session/user'
import { takesOverride } from './federation/override'
import { prefetchFor, pointer } from './federation/releases'
import { LoginPage } from './pages/login/LoginPage'
import { loginPath, returnPath } from './pages/login/returnPath'
import { Providers } from './providers'
import { remoteFor } from './remotes'

const root = createRoot(document.getElementById('root')!)

/** Everything behind login is one chunk away, so that login pays for none of it. */
async function openApp() {
  const remote = remoteFor(location.pathname)
  if (remote) void prefetchFor(remote.name, location.pathname).catch(() => {})
  else void pointer().catch(() => {})
  const { App } = await import(/* webpackChunkName: "app" */ './app')
  root.render(
    <Providers>
      <App />
    </Providers>,
  )
}

const withoutSession = ['/404', '/serviceUnavailable']

const isReady = store.get(tokenAtom) !== null && !store.get(userInfoAtom)?.mustChangePassword

if (takesOverride()) {
  // The page is on its way again.
} else if (isReady || withoutSession.includes(location.pathname)) void openApp()
else {
  history.replaceState(null, '', loginPath(location))
  root.render(
    <Providers>
      <LoginPage
        onSignedIn={() => {
          history.replaceState(null, '', returnPath(location.search))
          void openApp()
        }}
      />
    </Providers>,
  )
}
