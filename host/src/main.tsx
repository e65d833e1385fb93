import { createRoot } from 'react-dom/client'
import { store } from '@iot/shared/session/store'
import { tokenAtom } from '@iot/shared/session/user'
import { prefetchFor, pointer } from './federation/releases'
import { LoginPage } from './pages/login/LoginPage'
import { Providers } from './providers'
import { remoteFor } from './remotes'

const root = createRoot(document.getElementById('root')!)

/** Everything behind login is one chunk away, so that login pays for none of it. */
async function openApp() {
  const remote = remoteFor(location.pathname)
  if (remote) void prefetchFor(remote.name, location.pathname).catch(() => {})
  else void pointer().catch(() => {})
  const { App } = await import('./app')
  root.render(
    <Providers>
      <App />
    </Providers>,
  )
}

const withoutSession = ['/404', '/serviceUnavailable']

if (store.get(tokenAtom) !== null || withoutSession.includes(location.pathname)) void openApp()
else {
  const from = location.pathname + location.search
  if (location.pathname !== '/login') history.replaceState(null, '', `/login?from=${encodeURIComponent(from)}`)
  root.render(
    <Providers>
      <LoginPage
        onSignedIn={() => {
          history.replaceState(null, '', new URLSearchParams(location.search).get('from') ?? '/home')
          void openApp()
        }}
      />
    </Providers>,
  )
}
