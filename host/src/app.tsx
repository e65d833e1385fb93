import { clearCache } from 'ahooks/es/useRequest'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { RouterProvider } from 'react-router-dom'
import { clearPrefetched } from '@iot/shared/client/ahead'
import { readPageMeta } from '@iot/shared/client/pageMeta'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { selectedIdsAtom } from '@iot/shared/session/selected'
import { store } from '@iot/shared/session/store'
import { tokenAtom } from '@iot/shared/session/user'
import { FeedbackProvider, loadFeedbackDialogs } from '@iot/shared/ui/feedback'
import { LoadFailureContext } from '@iot/shared/ui/lazyPart'
import { AppThemeProvider } from '@iot/shared/ui/theme'
import { Banners } from './layout/Banners'
import { LoadFailed } from './pages/errors/LoadFailed'
import { asLoadFailure } from './federation/failure'
import { watchPolicy } from './pages/errors/policyWatcher'
import { whenIdle } from './layout/idle'
import { createRouter } from './router'

export { prewarmStyles } from './prewarmStyles'
export { preloadRoute } from './router'

/** Makes the modules that remotes may use part of the build. It is never called: each loads when it is needed. */
export const loadOfferedModules = () => import('./federation/offeredModules')

dayjs.locale('zh-cn')

type DialogLoadFailedProps = { error: Error; onRetry: () => Promise<void> }
const renderDialogLoadFailure = ({ error, onRetry }: DialogLoadFailedProps) => (
  <LoadFailed failure={asLoadFailure(error)} onRetry={onRetry} />
)

/** Starts the console of a signed-in operator at the address that is open. */
export function startApp() {
  watchPolicy()
  void whenIdle(loadFeedbackDialogs)
  // Cached answers of one user or project must not be shown to the next.
  for (const atom of [tokenAtom, currentProjectIdAtom])
    store.sub(atom, () => {
      clearCache()
      clearPrefetched()
      store.set(selectedIdsAtom, {})
    })
  return (
    <AppThemeProvider nonce={readPageMeta('csp-nonce')}>
      <LoadFailureContext value={renderDialogLoadFailure}>
        <FeedbackProvider message={{ duration: 3, top: 8, maxCount: 3 }} className="app">
          <Banners />
          <RouterProvider router={createRouter()} />
        </FeedbackProvider>
      </LoadFailureContext>
    </AppThemeProvider>
  )
}
