import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { Provider, useSetAtom } from 'jotai'
import { type ReactNode, useEffect } from 'react'
import { call } from '@iot/shared/client/call'
import { pageMeta } from '@iot/shared/client/pageMeta'
import { baseConfigApi } from '@iot/shared/contract/baseConfig'
import { baseConfigAtom } from '@iot/shared/session/baseConfig'
import { store } from '@iot/shared/session/store'
import { Themed } from '@iot/shared/ui/theme'
import { CrashBoundary } from './pages/errors/CrashBoundary'

dayjs.locale('zh-cn')

const nonce = pageMeta('csp-nonce')

/** One store, one theme, one locale for host and remotes. */
export const Providers = ({ children }: { children: ReactNode }) => (
  <CrashBoundary>
    <Provider store={store}>
      <Themed nonce={nonce}>
        <Looks />
        {children}
      </Themed>
    </Provider>
  </CrashBoundary>
)

/** Name, logo and colour as the platform has them; the last known ones until it answers. */
function Looks() {
  const setBaseConfig = useSetAtom(baseConfigAtom)
  useEffect(() => {
    call(baseConfigApi.get, {}, { quiet: true }).then(setBaseConfig, () => {})
  }, [setBaseConfig])
  return null
}
