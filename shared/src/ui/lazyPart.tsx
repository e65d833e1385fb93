import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** Lamps of a floor plan are SVG elements. */
const isFocusable = (element: Element | null) =>
  element instanceof HTMLElement || element instanceof SVGElement

/**
 * A part of a screen whose code loads when it is first shown; `renderPlaceholder` replaces it until then. A failed load is thrown
 * to the nearest error boundary and retried the next time, whereas React's `lazy` keeps a failure forever.
 * @example const BrandForm = lazyPart(() => import('./BrandForm')); {editing && <BrandForm brand={editing} … />}
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  renderPlaceholder: (props: P) => ReactNode = () => null,
) {
  let LoadedComponent: ComponentType<P> | undefined
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
      if (LoadedComponent) return
      load().then(
        (module) => {
          LoadedComponent = module.default
          setState({})
        },
        (failure: Error) => setState({ failure }),
      )
    }, [])
    if (state.failure !== undefined) throw state.failure
    return LoadedComponent ? <LoadedComponent {...props} /> : renderPlaceholder(props)
  }
}
