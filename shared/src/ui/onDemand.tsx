import { Input } from 'antd'
import { lazy, Suspense, useState, type ComponentType } from 'react'

/** What tells that a picker holds something already, and how its place looks until it is there. */
type Look<P> = { isFilled: (props: P) => boolean; placeholder: string; width: number }

/**
 * A filter whose picker is large: a plain box stands in its place until it is pointed at, focused, or holds a value.
 * So a list shows its first row without it.
 * @example const RegionFilter = onDemand(() => import('@iot/shared/ui/regionFilter'), { isFilled: ({ value }) => !!value, placeholder: '所在地区', width: 180 })
 */
export function onDemand<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, { isFilled, placeholder, width }: Look<P>) {
  const Picker = lazy(load)
  return function OnDemand(props: P) {
    const [wanted, setWanted] = useState(false)
    const want = () => setWanted(true)
    const box = <Input readOnly placeholder={placeholder} aria-label={placeholder} style={{ width }} onFocus={want} onPointerEnter={want} />
    if (!wanted && !isFilled(props)) return box
    return <Suspense fallback={box}><Picker {...props} /></Suspense>
  }
}
