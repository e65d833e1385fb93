import message from 'antd/es/message'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import {
  createLazyModal,
  createLazyNotification,
  createLazyValue,
  type DialogApis,
} from './feedback/lazyDialogs'
import { lazyDialog } from './lazyPart'

type Feedback = DialogApis & { message: ReturnType<typeof message.useMessage>[0] }

const FeedbackContext = createContext({} as Feedback)
/** Loads the code of dialogs and notifications, for example while the browser is idle. */
export const loadFeedbackDialogs = () => import('./feedback/Dialogs')
const Dialogs = lazyDialog(loadFeedbackDialogs)

type FeedbackProviderProps = {
  message?: Parameters<typeof message.useMessage>[0]
  className?: string
  children: ReactNode
}

/**
 * Shows what `useFeedback` asks for. The code of dialogs and notifications loads at their first use, because no list
 * needs them for its first rows. Messages load at once, because they report failed loads.
 */
export function FeedbackProvider({
  message: messageConfig,
  className,
  children,
}: FeedbackProviderProps) {
  const [messageApi, messageHolder] = message.useMessage(messageConfig)
  const [needsDialogs, setNeedsDialogs] = useState(false)
  const [lazyDialogs] = useState(() => createLazyValue<DialogApis>(() => setNeedsDialogs(true)))
  const discardDialogs = () => {
    lazyDialogs.drop()
    setNeedsDialogs(false)
  }
  const feedback = useMemo(
    () => ({
      message: messageApi,
      modal: createLazyModal(lazyDialogs),
      notification: createLazyNotification(lazyDialogs),
    }),
    [messageApi, lazyDialogs],
  )
  return (
    <FeedbackContext value={feedback}>
      <div className={className}>
        {messageHolder}
        {needsDialogs && <Dialogs onReady={lazyDialogs.set} onClose={discardDialogs} />}
        {children}
      </div>
    </FeedbackContext>
  )
}

/**
 * Returns antd's APIs for messages, dialogs (`modal`) and notifications. They take the theme and the language of the
 * page.
 * @example const { message, modal } = useFeedback(); message.success('已保存')
 */
export const useFeedback = () => useContext(FeedbackContext)
