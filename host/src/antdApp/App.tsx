import type { ConfigOptions, MessageInstance } from 'antd/es/message/interface'
import type { HookAPI } from 'antd/es/modal/useModal'
import type { NotificationInstance } from 'antd/es/notification/interface'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { whenIdle } from '../layout/idle'
import { PartBoundary } from '../layout/PartBoundary'
import type { Dialogs as Shown } from './Dialogs'
import { later, notices, questions, words } from './later'

type Apis = {
  message: MessageInstance
  modal: HookAPI
  notification: NotificationInstance
}
type AppProps = {
  message?: ConfigOptions
  className?: string
  children: ReactNode
}

const Context = createContext({} as Apis)
const load = () => import('./Dialogs')
const Dialogs = lazyPart(load)

/**
 * antd's App, whose code of messages, dialogs and notices comes with the first of them: no list shows its rows with one.
 * Host and remotes get this one by the name `antd/es/app`.
 */
export default function App({ message, className, children }: AppProps) {
  const [isWanted, setWanted] = useState(false)
  const [dialogs] = useState(() => later<Shown>(() => setWanted(true)))
  const giveUp = () => {
    dialogs.drop()
    setWanted(false)
  }
  useEffect(() => void whenIdle(load), [])
  const apis = useMemo(
    () => ({
      message: words(dialogs),
      modal: questions(dialogs),
      notification: notices(dialogs),
    }),
    [dialogs],
  )
  return (
    <Context value={apis}>
      <div className={className}>
        <PartBoundary onClose={giveUp}>
          {isWanted && <Dialogs message={message} onReady={dialogs.set} />}
        </PartBoundary>
        {children}
      </div>
    </Context>
  )
}
App.useApp = () => useContext(Context)
