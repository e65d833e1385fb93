import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/** Lamps of a plan are of SVG. */
const isFocusable = (element: Element | null) =>
  element instanceof HTMLElement || element instanceof SVGElement

/**
 * A part of a screen whose code comes when it is first shown; `waiting` stands in its place until then. What did not come
 * is thrown to the nearest boundary and asked for anew the next time it is shown: React's `lazy` keeps a failure for good.
 * @example const BrandForm = lazyPart(() => import('./BrandForm')); {editing && <BrandForm brand={editing} … />}
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  waiting: (props: P) => ReactNode = () => null,
) {
  let Loaded: ComponentType<P> | undefined
  return function Part(props: P) {
    const [state, setState] = useState<{ failure?: unknown }>({})
    // A dialog that is taken away gives the focus back to what opened it.
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
