import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import {
  getBasePath,
  getPageAddress,
  removeBasePath,
  toSitePath,
} from '@iot/shared/contract/platform/siteAddress'
import { store } from '@iot/shared/session/store'
import { setShareRepair } from '@iot/shared/client/healShares'
import { hasSignInDuty, tokenAtom, userInfoAtom } from '@iot/shared/session/user'
import { loadApp, prefetchAddressData, prefetchSession, preloadAppDuringLogin } from './preloadApp'
import { asLoadFailure } from './federation/failure'
import { LoadFailed } from './pages/errors/LoadFailed'
import { repairShares } from './federation/sharePlugin'
import { storeOverrideFromUrl } from './federation/override'
import { suppressKeyRepeat } from './suppressKeyRepeat'
import { takeEarlyInput, watchSearchKey } from './layout/search/earlySearch'
import { reportError, reportUnhandledRejection } from './pages/errors/reportError'
import { LoginPage } from './pages/login/LoginPage'
import { removeEarlyField } from './pages/login/earlyField'
import { getLoginPath, getReturnPath } from './pages/login/returnPath'
import { Providers } from './providers'

addEventListener('error', ({ error }) => error instanceof Error && reportError(error))
addEventListener('unhandledrejection', ({ reason }) => reportUnhandledRejection(reason))
suppressKeyRepeat()
setShareRepair(repairShares)

const root = createRoot(document.getElementById('root')!)
const renderPage = (page: ReactNode) => root.render(<Providers>{page}</Providers>)

/** Renders the page as soon as its code and style sheets are loaded; a failed load is reported and retried. */
async function openPage(page: () => ReactNode | Promise<ReactNode>) {
  try {
    renderPage(await page())
  } catch (error) {
    takeEarlyInput()
    removeEarlyField()
    renderPage(<LoadFailed failure={asLoadFailure(error)} onRetry={() => openPage(page)} />)
  }
}

function createLoginPage() {
  history.replaceState(null, '', toSitePath(getLoginPath(getPageAddress())))
  preloadAppDuringLogin()
  const openApp = () => {
    history.replaceState(null, '', toSitePath(getReturnPath(location.search)))
    openPage(loadApp).catch(reportError)
  }
  return <LoginPage onSignedIn={openApp} />
}

const publicPaths = ['/404', '/serviceUnavailable']

const hasUsableSession = store.get(tokenAtom) !== null && !hasSignInDuty(store.get(userInfoAtom))

/** Opens the page again below the base path if it was opened without it, for example at the platform's own port. */
function reopenBelowBasePath() {
  const { pathname, search, hash } = location
  if (getBasePath() === '' || removeBasePath(pathname) !== pathname) return false
  location.replace(toSitePath(pathname) + search + hash)
  return true
}

if (reopenBelowBasePath() || storeOverrideFromUrl()) {
  // The page is loaded again, so nothing is started.
} else {
  // The fallback text of the HTML is removed, because failures are reported by script from here.
  document.querySelector('.late')?.remove()
  if (hasUsableSession) {
    prefetchSession()
    prefetchAddressData(getPageAddress())
    watchSearchKey()
  }
  const needsLogin = !hasUsableSession && !publicPaths.includes(getPageAddress().pathname)
  if (!needsLogin) removeEarlyField()
  openPage(needsLogin ? createLoginPage : loadApp).catch(reportError)
}
