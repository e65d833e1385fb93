import { Input } from 'antd'
import {
  lazy,
  startTransition,
  Suspense,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'

/** What tells that a picker holds something already, and how its place looks until it is there. */
type Look<P> = {
  isFilled: (props: P) => boolean
  placeholder: string
  width: number
  icon: ReactNode
}
/** The picker goes on where its place was: with the focus, and open if it was pressed. */
export type Continued = { autoFocus?: boolean; defaultOpen?: boolean }

/**
 * A filter whose picker is large: a plain box stands in its place until it is pointed at, focused, or holds a value.
 * So a list shows its first row without it.
 * @example const RegionFilter = onDemand(() => import('@iot/shared/ui/regionFilter'), { isFilled: ({ value }) => !!value, placeholder: '所在地区', width: 180, icon: <DownOutlined /> })
 */
export function onDemand<P extends object>(
  load: () => Promise<{ default: ComponentType<P & Continued> }>,
  { isFilled, placeholder, width, icon }: Look<P>,
) {
  const Picker = lazy(load)
  return function OnDemand(props: P) {
    const [isWanted, setWanted] = useState(false)
    const [isFocused, setFocused] = useState(false)
    const [isPressed, setPressed] = useState(false)
    // A picker that was emptied stays.
    if (!isWanted && isFilled(props)) setWanted(true)
    // In a transition the box, and the focus in it, stay until the picker can take over.
    const want = () => startTransition(() => setWanted(true))
    const box = (
      <Input
        readOnly
        placeholder={placeholder}
        aria-label={placeholder}
        style={{ width }}
        suffix={
          <span style={{ fontSize: 12, color: 'var(--ant-color-text-quaternary)' }}>{icon}</span>
        }
        onPointerEnter={want}
        onPointerDown={() => setPressed(true)}
        onFocus={() => {
          setFocused(true)
          want()
        }}
        onBlur={() => {
          setFocused(false)
          setPressed(false)
        }}
      />
    )
    return (
      <Suspense fallback={box}>
        {isWanted ? <Picker {...props} autoFocus={isFocused} defaultOpen={isPressed} /> : box}
      </Suspense>
    )
  }
}
