import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** Lamps of a floor plan are SVG elements. */
const isFocusable = (element: Element | null) =>
  element instanceof HTMLElement || element instanceof SVGElement

/**
 * A part of a screen whose code loads when it is first shown; `waiting` replaces it until then. A failed load is thrown
 * to the nearest error boundary and retried the next time, whereas React's `lazy` keeps a failure forever.
 * @example const BrandForm = lazyPart(() => import('./BrandForm')); {editing && <BrandForm brand={editing} … />}
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  waiting: (props: P) => ReactNode = () => null,
) {
  let Loaded: ComponentType<P> | undefined
  return function Part(props: P) {
    const [state, setState] = useState<{ failure?: unknown }>({})
    // A dialog that unmounts returns the focus to the element that opened it.
    const [opener] = useState(() => document.activeElement)
    useEffect(
      () => () =>
        void requestAnimationFrame(() => {
          if (document.activeElement === document.body && isFocusable(opener)) opener.focus()
        }),
      [opener],
    )
    useEffect(() => {
      if (Loaded) return
      load().then(
        (module) => {
          Loaded = module.default
          setState({})
        },
        (failure: unknown) => setState({ failure }),
      )
    }, [])
    if (state.failure !== undefined) throw state.failure
    return Loaded ? <Loaded {...props} /> : waiting(props)
  }
}
