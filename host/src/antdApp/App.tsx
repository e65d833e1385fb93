import { message } from 'antd'
import type { HookAPI } from 'antd/es/modal/useModal'
import type { NotificationInstance } from 'antd/es/notification/interface'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { lazyPart } from '@iot/shared/ui/lazyPart'
import { whenIdle } from '../layout/idle'
import { PartBoundary } from '../layout/PartBoundary'
import type { Dialogs as Shown } from './Dialogs'
import { later, notices, questions } from './later'

type Apis = {
  message: ReturnType<typeof message.useMessage>[0]
  modal: HookAPI
  notification: NotificationInstance
}
type AppProps = {
  message?: Parameters<typeof message.useMessage>[0]
  className?: string
  children: ReactNode
}

const Context = createContext({} as Apis)
const load = () => import('./Dialogs')
const Dialogs = lazyPart(load)

/**
 * Replaces antd's App and loads the code of dialogs and notifications at their first use, because no list needs them
 * for its first rows. Messages load at once, because they report failed loads. Host and remotes import this component
 * as `antd/es/app`.
 */
export default function App({ message: settings, className, children }: AppProps) {
  const [words, wordsHolder] = message.useMessage(settings)
  const [isWanted, setWanted] = useState(false)
  const [dialogs] = useState(() => later<Shown>(() => setWanted(true)))
  const giveUp = () => {
    dialogs.drop()
    setWanted(false)
  }
  useEffect(() => void whenIdle(load), [])
  const apis = useMemo(
    () => ({ message: words, modal: questions(dialogs), notification: notices(dialogs) }),
    [words, dialogs],
  )
  return (
    <Context value={apis}>
      <div className={className}>
        {wordsHolder}
        <PartBoundary onClose={giveUp}>
          {isWanted && <Dialogs onReady={dialogs.set} />}
        </PartBoundary>
        {children}
      </div>
    </Context>
  )
}
App.useApp = () => useContext(Context)
