import ConfigProvider from 'antd/es/config-provider'
import zhCN from 'antd/es/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { Provider } from 'jotai'
import type { ReactNode } from 'react'
import { store } from '@iot/shared/session/store'

dayjs.locale('zh-cn')

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content

/** One store, one theme, one locale for host and remotes. */
export const Providers = ({ children }: { children: ReactNode }) => (
  <Provider store={store}>
    <ConfigProvider locale={zhCN} csp={{ nonce }} theme={{ token: { borderRadius: 8 }, components: { Layout: { headerHeight: 48 } } }}>
      {children}
    </ConfigProvider>
  </Provider>
)
