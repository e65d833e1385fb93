import { message } from 'antd'
import type { HookAPI } from 'antd/es/modal/useModal'
import type { NotificationInstance } from 'antd/es/notification/interface'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { whenIdle } from '../layout/idle'
import { PartBoundary } from '../layout/PartBoundary'
import type { DialogApis as LoadedDialogs } from './Dialogs'
import { createLazyValue, createLazyNotification, createLazyModal } from './lazyDialogs'

type AntdApis = {
  message: ReturnType<typeof message.useMessage>[0]
  modal: HookAPI
  notification: NotificationInstance
}
type AppProps = {
  message?: Parameters<typeof message.useMessage>[0]
  className?: string
  children: ReactNode
}

const AntdAppContext = createContext({} as AntdApis)
const loadDialogs = () => import('./Dialogs')
const Dialogs = lazyPart(loadDialogs)

/**
 * Replaces antd's App and loads the code of dialogs and notifications at their first use, because no list needs them
 * for its first rows. Messages load at once, because they report failed loads. Host and remotes import this component
 * as `antd/es/app`.
 */
export default function App({ message: messageConfig, className, children }: AppProps) {
  const [messageApi, messageHolder] = message.useMessage(messageConfig)
  const [needsDialogs, setNeedsDialogs] = useState(false)
  const [lazyDialogs] = useState(() => createLazyValue<LoadedDialogs>(() => setNeedsDialogs(true)))
  const discardDialogs = () => {
    lazyDialogs.drop()
    setNeedsDialogs(false)
  }
  useEffect(() => void whenIdle(loadDialogs), [])
  const apis = useMemo(
    () => ({
      message: messageApi,
      modal: createLazyModal(lazyDialogs),
      notification: createLazyNotification(lazyDialogs),
    }),
    [messageApi, lazyDialogs],
  )
  return (
    <AntdAppContext value={apis}>
      <div className={className}>
        {messageHolder}
        <PartBoundary onClose={discardDialogs}>
          {needsDialogs && <Dialogs onReady={lazyDialogs.set} />}
        </PartBoundary>
        {children}
      </div>
    </AntdAppContext>
  )
}
App.useApp = () => useContext(AntdAppContext)
