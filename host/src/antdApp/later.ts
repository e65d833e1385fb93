import type { ModalFuncProps } from 'antd'
import type { HookAPI } from 'antd/es/modal/useModal'
import type { NotificationInstance } from 'antd/es/notification/interface'
import type { Dialogs } from './Dialogs'

type Later<T> = {
  use: (then: (value: T) => void) => void
  set: (value: T) => void
  /** Discards the queued callbacks because the value could not be loaded. */
  drop: () => void
}

/** Creates a lazy value: `wanted` runs at its first use, and callbacks queue in order until the value arrives. */
export function later<T>(wanted: () => void): Later<T> {
  let value: T | undefined
  let waiting: ((value: T) => void)[] = []
  return {
    use(then) {
      if (value !== undefined) return then(value)
      waiting.push(then)
      wanted()
    },
    set(given) {
      value = given
      for (const then of waiting) then(given)
      waiting = []
    },
    drop: () => (waiting = []),
  }
}

/** The second click of a double click counts as the same press. */
const isSecondPress = () => window.event instanceof MouseEvent && window.event.detail > 1

const kinds = ['info', 'success', 'error', 'warning', 'confirm'] as const

type Open = ReturnType<HookAPI['confirm']>

/**
 * Offers antd's modal API before its code is loaded. A question that is destroyed earlier never appears, and a double
 * click opens only one.
 */
export function questions(dialogs: Later<Dialogs>): HookAPI {
  let last: { title: unknown; question: Open } | undefined
  const ask = (kind: (typeof kinds)[number]) => (config: ModalFuncProps) => {
    if (last && last.title === config.title && isSecondPress()) return last.question
    let open: Open | undefined
    let isOver = false
    const forget = () => {
      if (last?.question === question) last = undefined
    }
    let latest: Parameters<Open['update']>[0] = config
    // antd's handle is thenable, and resolving a promise with it would wait for the answer, so the handle is wrapped in
    // an array.
    const opened = new Promise<Open[]>((done) =>
      dialogs.use(({ modal }) => {
        if (isOver) return done([])
        open = modal[kind]({
          ...config,
          afterClose() {
            forget()
            config.afterClose?.()
          },
        })
        if (latest !== config) open.update(latest)
        done([open])
      }),
    )
    const answer = async () => {
      const [question] = await opened
      return question ? await question : false
    }
    const question: Open = {
      destroy() {
        forget()
        isOver = true
        open?.destroy()
      },
      update(change: typeof latest) {
        latest = change
        open?.update(change)
      },
      then: <T>(yes: (isConfirmed: boolean) => T, no: () => void) =>
        answer().then(yes, no) as Promise<T>,
    }
    last = { title: config.title, question }
    return question
  }
  return Object.fromEntries(kinds.map((kind) => [kind, ask(kind)])) as unknown as HookAPI
}

export function notices(dialogs: Later<Dialogs>): NotificationInstance {
  const tell = (name: keyof NotificationInstance) => (argument: never) =>
    dialogs.use(({ notification }) => notification[name](argument))
  return {
    success: tell('success'),
    error: tell('error'),
    info: tell('info'),
    warning: tell('warning'),
    open: tell('open'),
    destroy: tell('destroy'),
  } as NotificationInstance
}
