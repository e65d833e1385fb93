import type { Modal, ModalFuncProps, notification } from 'antd'

type ModalApi = ReturnType<typeof Modal.useModal>[0]
type NotificationApi = ReturnType<typeof notification.useNotification>[0]
export type DialogApis = { modal: ModalApi; notification: NotificationApi }

type LazyValue<T> = {
  use: (callback: (value: T) => void) => void
  set: (value: T) => void
  /** Discards the queued callbacks because the value could not be loaded. */
  drop: () => void
}

/** Creates a lazy value: `requestValue` runs at its first use, and callbacks queue in order until the value arrives. */
export function createLazyValue<T>(requestValue: () => void): LazyValue<T> {
  let value: T | undefined
  let pendingCallbacks: ((value: T) => void)[] = []
  return {
    use(callback) {
      if (value !== undefined) return callback(value)
      pendingCallbacks.push(callback)
      requestValue()
    },
    set(loadedValue) {
      value = loadedValue
      for (const then of pendingCallbacks) then(loadedValue)
      pendingCallbacks = []
    },
    drop: () => (pendingCallbacks = []),
  }
}

/** The second click of a double click counts as the same press. */
const isSecondClick = () => window.event instanceof MouseEvent && window.event.detail > 1

const dialogKinds = ['info', 'success', 'error', 'warning', 'confirm'] as const

type DialogHandle = ReturnType<ModalApi['confirm']>

/**
 * Offers antd's modal API before its code is loaded. A question that is destroyed earlier never appears, and a double
 * click opens only one.
 */
export function createLazyModal(dialogs: LazyValue<DialogApis>): ModalApi {
  let lastDialog: { title: unknown; question: DialogHandle } | undefined
  const openDialog = (kind: (typeof dialogKinds)[number]) => (config: ModalFuncProps) => {
    if (lastDialog && lastDialog.title === config.title && isSecondClick())
      return lastDialog.question
    let handle: DialogHandle | undefined
    let isDestroyed = false
    const clearLastDialog = () => {
      if (lastDialog?.question === question) lastDialog = undefined
    }
    let latestConfig: Parameters<DialogHandle['update']>[0] = config
    // antd's handle is thenable, and resolving a promise with it would wait for the answer, so the handle is wrapped in
    // an array.
    const handlePromise = new Promise<DialogHandle[]>((resolve) =>
      dialogs.use(({ modal }) => {
        if (isDestroyed) return resolve([])
        handle = modal[kind]({
          ...config,
          afterClose() {
            clearLastDialog()
            config.afterClose?.()
          },
        })
        if (latestConfig !== config) handle.update(latestConfig)
        resolve([handle])
      }),
    )
    const waitForAnswer = async () => {
      const [question] = await handlePromise
      return question ? await question : false
    }
    const question: DialogHandle = {
      destroy() {
        clearLastDialog()
        isDestroyed = true
        handle?.destroy()
      },
      update(change: typeof latestConfig) {
        latestConfig = change
        handle?.update(change)
      },
      then: <T>(onFulfilled: (isConfirmed: boolean) => T, onRejected: () => void) =>
        waitForAnswer().then(onFulfilled, onRejected) as Promise<T>,
    }
    lastDialog = { title: config.title, question }
    return question
  }
  return Object.fromEntries(
    dialogKinds.map((kind) => [kind, openDialog(kind)]),
  ) as unknown as ModalApi
}

export function createLazyNotification(dialogs: LazyValue<DialogApis>): NotificationApi {
  const notify = (name: keyof NotificationApi) => (argument: never) =>
    dialogs.use(({ notification }) => notification[name](argument))
  return {
    success: notify('success'),
    error: notify('error'),
    info: notify('info'),
    warning: notify('warning'),
    open: notify('open'),
    destroy: notify('destroy'),
  } as NotificationApi
}
