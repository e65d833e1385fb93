import { clearCache } from 'ahooks'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { RouterProvider } from 'react-router-dom'
import { dropAhead } from '@iot/shared/client/ahead'
import { pageMeta } from '@iot/shared/client/pageMeta'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { selectedAtom } from '@iot/shared/session/selected'
import { store } from '@iot/shared/session/store'
import { tokenAtom } from '@iot/shared/session/user'
import { Themed } from '@iot/shared/ui/theme'
import App from './antdApp/App'
import { Banners } from './federation/Banners'
import { watchPolicy } from './federation/watchPolicy'
import { openRouter } from './router'

export { drawAhead } from './drawAhead'
export { warm } from './router'

dayjs.locale('zh-cn')

/** Starts the console of a signed-in operator at the address that is open. */
export function start() {
  watchPolicy()
  // Cached answers of one user or project must not be shown to the next.
  for (const atom of [tokenAtom, currentProjectIdAtom])
    store.sub(atom, () => {
      clearCache()
      dropAhead()
      store.set(selectedAtom, {})
    })
  return (
    <Themed nonce={pageMeta('csp-nonce')}>
      <App message={{ duration: 3, top: 8, maxCount: 3 }} className="app">
        <Banners />
        <RouterProvider router={openRouter()} />
      </App>
    </Themed>
  )
}
