import {
  Component,
  createContext,
  useContext,
  useEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { healShares } from '../client/healShares'
import * as styles from './lazyPart.module.css'

type LoadPart<P> = () => Promise<{ default: ComponentType<P> }>

/** Lamps of a floor plan are SVG elements. */
const isFocusable = (element: Element | null) =>
  element instanceof HTMLElement || element instanceof SVGElement

const loadErrors = new WeakSet<Error>()

/** Keeps the component of a part once its code has loaded. A failed load is forgotten, so that the next one asks again. */
function createPartLoader<P>(load: LoadPart<P>) {
  let LoadedComponent: ComponentType<P> | undefined
  return {
    getComponent: () => LoadedComponent,
    async load() {
      if (LoadedComponent) return
      try {
        await healShares()
        LoadedComponent = (await load()).default
      } catch (cause) {
        const error = cause instanceof Error ? cause : new Error(String(cause))
        loadErrors.add(error)
        throw error
      }
    },
  }
}

function createPart<P extends object>(
  loader: ReturnType<typeof createPartLoader<P>>,
  renderPlaceholder: (props: P) => ReactNode,
) {
  return function Part(props: P) {
    const [state, setState] = useState<{ failure?: Error }>({})
    // A dialog that unmounts returns the focus to the element that opened it.
    const [openerElement] = useState(() => document.activeElement)
    useEffect(
      () => () =>
        void requestAnimationFrame(() => {
          if (document.activeElement === document.body && isFocusable(openerElement))
            openerElement.focus()
        }),
      [openerElement],
    )
    useEffect(() => {
      if (loader.getComponent()) return
      loader.load().then(
        () => setState({}),
        (failure: Error) => setState({ failure }),
      )
    }, [])
    if (state.failure !== undefined) throw state.failure
    const LoadedComponent = loader.getComponent()
    return LoadedComponent ? <LoadedComponent {...props} /> : renderPlaceholder(props)
  }
}

/**
 * A part of a screen whose code loads when it is first shown; `renderPlaceholder` replaces it until then. A failed load is thrown
 * to the nearest error boundary and retried the next time, whereas React's `lazy` keeps a failure forever.
 * @example const Curves = lazyPart(() => import('./Curves'), renderSkeleton)
 */
export const lazyPart = <P extends object>(
  load: LoadPart<P>,
  renderPlaceholder: (props: P) => ReactNode = () => null,
) => createPart(createPartLoader(load), renderPlaceholder)

type LoadFailureProps = { error: Error; onRetry: () => Promise<void> }

const renderPlainFailure = ({ error, onRetry }: LoadFailureProps) => (
  <div role="alert">
    <p>没有加载成功：{error.message}</p>
    <button type="button" className={styles.button} onClick={() => void onRetry()}>
      重试
    </button>
  </div>
)
/**
 * Renders why a dialog did not load. The host provides words that name the file and offer to load the page again.
 */
export const LoadFailureContext =
  createContext<(props: LoadFailureProps) => ReactNode>(renderPlainFailure)

type DialogBoundaryProps = {
  load: () => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** Keeps the screen behind a dialog whose code, or a part of it, does not load. */
class DialogBoundary extends Component<DialogBoundaryProps, { error?: Error }> {
  override state: { error?: Error } = {}
  static getDerivedStateFromError = (error: Error) => ({ error })

  /** The words stay until the code is there, so that an automatic retry does not take the focus. */
  readonly retryLoad = () =>
    this.props.load().then(
      () => this.setState({ error: undefined }),
      (error: Error) => this.setState({ error }),
    )

  override render() {
    const { error } = this.state
    const { onClose, children } = this.props
    if (error === undefined) return children
    // A crash belongs to the boundary of the screen, which reports it.
    if (!loadErrors.has(error)) throw error
    return <FailedDialog error={error} onRetry={this.retryLoad} onClose={onClose} />
  }
}

const showModal = (dialog: HTMLDialogElement | null) => dialog?.showModal()

function FailedDialog({ onClose, ...failure }: LoadFailureProps & { onClose: () => void }) {
  const renderFailure = useContext(LoadFailureContext)
  return (
    // The dialog and its buttons are the browser's: antd's code may be what failed to load, and the login page has none.
    <dialog ref={showModal} className={styles.failedDialog} onClose={onClose}>
      {renderFailure(failure)}
      <button type="button" className={styles.button} onClick={onClose}>
        关闭
      </button>
    </dialog>
  )
}

/**
 * A dialog or drawer whose code loads when it is first opened. If that fails, a dialog says so and retries, and the screen
 * behind it stays.
 * @example const BrandForm = lazyDialog(() => import('./BrandForm')); {editing && <BrandForm brand={editing} onClose={close} />}
 */
export function lazyDialog<P extends { onClose: () => void }>(load: LoadPart<P>) {
  const loader = createPartLoader(load)
  const Part = createPart(loader, () => null)
  return (props: P) => (
    <DialogBoundary load={loader.load} onClose={props.onClose}>
      <Part {...props} />
    </DialogBoundary>
  )
}
